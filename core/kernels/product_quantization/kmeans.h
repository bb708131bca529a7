// Lloyd's algorithm for all slices of a product quantizer at once, as the Rust reference
// (reductive) runs it: distinct random rows to begin with; a centroid without points becomes zero;
// of several attempts the one with the least squared error, measured against the moved centroids.
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

  // Begins an attempt with centroids drawn from `n_rows` >= n_centroids rows.
  void draw(const float* rows, size_t n_rows);
  // One step: add() all rows in any number of calls, then move(). False when no centroid moved, as
  // then no further step would move one.
  void add(const float* rows, size_t n_rows);
  bool move();
  // The rows are other ones from now on.
  void rows_changed();
  // Ends an attempt: keeps the centroids of each slice that are the best so far.
  void keep_best();

  [[nodiscard]] std::span<const float> codebook(size_t slice) const {
    return std::span(centroids_).subspan(slice * shape_.codebook_size(), shape_.codebook_size());
  }
  // Of all slices; taken once, at the end.
  [[nodiscard]] std::vector<float>& centroids() { return centroids_; }
  [[nodiscard]] std::vector<float>& best() { return best_; }

 private:
  void add_slice(size_t slice, const float* rows, size_t n_rows);
  bool move_slice(size_t slice);
  [[nodiscard]] std::span<float> own_codebook(size_t slice) {
    return std::span(centroids_).subspan(slice * shape_.codebook_size(), shape_.codebook_size());
  }

  // Of one slice, over the rows of this step.
  struct Slice {
    Random random;
    double squares = 0.0;  // Σ |x|^2
    double error = 0.0;    // of the last step
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
