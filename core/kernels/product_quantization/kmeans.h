// k-means (Lloyd's algorithm) for all slices of a product quantizer at once, as the Rust reference
// (reductive) runs it. It starts from distinct random rows. A centroid without points becomes zero.
// Of several attempts the one with the least squared error is kept, measured against the moved
// centroids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "kernels/product_quantization/product_quantizer.h"

namespace ambry::kernels {

class SliceKMeans {
 public:
  SliceKMeans(const QuantizerShape& shape, uint64_t seed);

  // Starts an attempt with centroids drawn from `n_rows` >= n_centroids rows.
  void draw(const float* rows, size_t n_rows);
  // One iteration: add() all rows in any number of calls, then move(). move() returns false when no
  // centroid moved; further iterations would not move any either.
  void add(const float* rows, size_t n_rows);
  bool move();
  // Call when the rows change between iterations.
  void rows_changed();
  // Ends an attempt: keeps the best centroids so far of each slice.
  void keep_best();

  [[nodiscard]] std::span<const float> codebook(size_t slice) const {
    return std::span(centroids_).subspan(slice * shape_.codebook_size(), shape_.codebook_size());
  }
  // The centroids of all slices, the current and the best ones. To be moved from at the end.
  [[nodiscard]] std::vector<float>& centroids() { return centroids_; }
  [[nodiscard]] std::vector<float>& best() { return best_; }

 private:
  void add_slice(size_t slice, const float* rows, size_t n_rows);
  bool move_slice(size_t slice);
  [[nodiscard]] std::span<float> own_codebook(size_t slice) {
    return std::span(centroids_).subspan(slice * shape_.codebook_size(), shape_.codebook_size());
  }

  // The state of one slice in the current iteration.
  struct Slice {
    Random random;
    double squares = 0.0;  // Σ |x|^2
    double error = 0.0;    // of the last iteration
    double best_error = 0.0;
    bool converged = false;
  };

  QuantizerShape shape_;
  std::vector<Slice> slices_;
  std::vector<float> centroids_;
  std::vector<double> sums_;      // of the points of each centroid
  std::vector<uint64_t> counts_;  // n_slices x n_centroids
  std::vector<float> best_;
  std::vector<uint8_t> codes_;
};

}  // namespace ambry::kernels
