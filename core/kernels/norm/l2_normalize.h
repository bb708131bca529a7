// x / max(|x|, floor) in place. The Euclidean length is summed in double, so that no finite vector
// overflows.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace ambry::kernels {

inline void l2_normalize(std::span<float> row, double floor) {
  double square = 0;
  for (const float x : row) square += double{x} * double{x};
  const double length = std::max(std::sqrt(square), floor);
  for (float& x : row) x = static_cast<float>(double{x} / length);
}

}  // namespace ambry::kernels
