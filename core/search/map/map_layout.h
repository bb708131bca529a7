// Places points on a plane so that neighbours are close together: each point is drawn to its
// neighbours and pushed away from points that are drawn by lot, as in LargeVis (Tang et al. 2016)
// and UMAP (McInnes et al. 2018), with Student's t as there, and equal weights. The lots have a
// fixed seed, so equal input gives equal points in a build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"

namespace ambry::search {

class Layout {
 public:
  // `points` has x and y of each point, where they begin. `neighbours` has `count` for each.
  Layout(std::vector<float> points, std::vector<uint32_t> neighbours, size_t count);

  // Moves some points. False when all is done.
  bool step();
  // In thousandths.
  [[nodiscard]] uint32_t progress() const;
  // Valid at any time. The mean is the origin, the mean of the squared distances from there is 1,
  // and x varies most.
  [[nodiscard]] std::vector<float> points() const;

 private:
  [[nodiscard]] size_t n_points() const { return points_.size() / 2; }
  void attract(float* point, float* other) const;
  void repel(float* point, const float* other) const;
  void move(size_t i);

  std::vector<float> points_;
  std::vector<uint32_t> neighbours_;
  size_t count_;
  size_t epochs_;
  size_t epoch_ = 0;
  size_t next_ = 0;
  float rate_ = 1;
  Random random_;
};

}  // namespace ambry::search
