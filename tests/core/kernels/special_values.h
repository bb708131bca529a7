#pragma once

#include <limits>

namespace ambry::kernels {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace ambry::kernels
