// k-means (Lloyd's algorithm) over vectors, in steps that take a fraction of a second. It starts
// from rows in even distances and involves no chance: equal rows give equal centroids.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "search/ivf/nearest_centroids.h"

namespace ambry::search {

class KMeans {
 public:
  // Takes rows of `dim` values, at least `count`, and 1 <= count. Each iteration looks at all rows.
  [[nodiscard]] static Result<KMeans> create(std::vector<float> rows, size_t dim, size_t count,
                                             size_t iterations);

  // Does the next part. False when all is done.
  [[nodiscard]] Result<bool> step();
  [[nodiscard]] Result<void> run();
  [[nodiscard]] uint64_t done_rows() const { return uint64_t{iteration_} * n_rows() + next_; }
  [[nodiscard]] uint64_t total_rows() const { return uint64_t{iterations_} * n_rows(); }

  // `count` rows of `dim` values. A centroid to which no row belonged stayed where it was.
  [[nodiscard]] const std::vector<float>& centroids() const { return centroids_; }

 private:
  [[nodiscard]] size_t n_rows() const { return rows_.size() / dim_; }
  void add(size_t begin, size_t end);
  void move();

  size_t dim_ = 0;
  size_t iterations_ = 0;
  size_t iteration_ = 0;
  size_t next_ = 0;  // row of this iteration
  std::vector<float> rows_;
  std::vector<float> centroids_;
  std::vector<double> sums_;
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> nearest_;
  std::optional<NearestCentroids> finder_;
};

}  // namespace ambry::search
