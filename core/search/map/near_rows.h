// The nearest rows of each of many rows, by dot product. Few rows are compared with all others.
// Many are put into groups, and a row is compared with those of its group and of the groups
// nearest to that, so a few neighbours may be missed. The time grows with the number of rows.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "search/ivf/k_means.h"
#include "search/ivf/nearest_centroids.h"

namespace ambry::search {

class NearRows {
 public:
  // Borrows rows of `dim` values, of length 1; more than `count` of them, which is
  // at least 1.
  [[nodiscard]] static Result<NearRows> begin(std::span<const float> rows, size_t dim,
                                              size_t count);

  // Does the next part. False when all is done.
  [[nodiscard]] Result<bool> step();
  // In thousandths.
  [[nodiscard]] uint32_t progress() const;

  // `count` rows for each row, the nearest first. A row is not its own neighbour.
  [[nodiscard]] const std::vector<uint32_t>& neighbours() const { return neighbours_; }

 private:
  NearRows(std::span<const float> rows, size_t dim, size_t count);
  [[nodiscard]] size_t n_rows() const { return rows_.size() / dim_; }
  [[nodiscard]] Result<void> train();
  void sort_into_groups();
  void order_groups(size_t group);
  [[nodiscard]] std::vector<uint32_t> candidates() const;
  [[nodiscard]] Result<void> compare();
  void choose(uint32_t row, std::span<const uint32_t> others, const float* scores);

  std::span<const float> rows_;
  size_t dim_;
  size_t count_;
  std::unique_ptr<KMeans> k_means_;  // with many rows, until the groups are found
  std::unique_ptr<NearestCentroids> finder_;
  std::vector<float> centroids_;
  std::vector<uint32_t> group_of_;
  std::vector<std::vector<uint32_t>> groups_;
  std::vector<uint32_t> nearest_groups_;  // of group_, itself first
  size_t sorted_ = 0;                     // rows that have a group
  size_t group_ = 0;
  size_t next_ = 0;      // in group_
  size_t compared_ = 0;  // rows
  std::vector<float> scores_;
  std::vector<uint32_t> neighbours_;
};

}  // namespace ambry::search
