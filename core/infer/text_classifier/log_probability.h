// fastText's logarithm of a probability. It adds 1e-5, so that a probability of 0 has one.
#pragma once

#include <cmath>

namespace ambry::infer {

[[nodiscard]] inline float log_probability(float probability) {
  return static_cast<float>(std::log(static_cast<double>(probability) + 1e-5));
}

}  // namespace ambry::infer
