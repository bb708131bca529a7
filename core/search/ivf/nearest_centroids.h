// Finds the nearest of many centroids for each of many vectors, by Euclidean distance. Many
// centroids are put into groups; a vector is then compared with those of the nearest groups only,
// so that for few vectors another centroid is a little nearer than the one that is found.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"

namespace ambry::search {

class NearestCentroids {
 public:
  // `centroids` has rows of `dim` values, at least one. LimitExceeded when the heap is full.
  [[nodiscard]] static Result<NearestCentroids> create(std::span<const float> centroids,
                                                       size_t dim);

  // The centroid of each row of `dim` values; the first of equally near ones.
  void find(std::span<const float> rows, std::span<uint32_t> nearest);

 private:
  // Centroids that are compared with vectors together.
  struct Group {
    kernels::PackedF32Matrix centroids;
    std::vector<float> bias;        // -|c|²/2, padded for the product
    std::vector<uint32_t> members;  // their numbers
  };
  struct Best {
    float score;
    uint32_t centroid;
  };

  [[nodiscard]] static Result<Group> group_of(std::span<const float> centroids, size_t dim,
                                              std::vector<uint32_t> members);
  [[nodiscard]] Result<void> make_groups(std::span<const float> centroids);
  // The products of some rows with the centroids of a group, less |c|²/2.
  void multiply(const Group& group, std::span<const float> rows);
  void offer(const Group& group, const float* scores, Best& best) const;
  void find_of_block(std::span<const float> rows, std::span<Best> best);
  void choose_groups(std::span<const float> rows);

  size_t dim_ = 0;
  std::vector<Group> groups_;
  Group centers_;  // of the groups; unused with one group
  std::vector<float> scores_;
  std::vector<float> gathered_;
  std::vector<std::vector<uint32_t>> rows_of_;  // for each group, the rows that look at it
};

}  // namespace ambry::search
