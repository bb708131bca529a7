#include "kernels/quantize/int8_activations.h"

#include <cassert>

#include "simd/scalar.h"

namespace ambry::kernels {

void WindowRows::keep_outliers(const float* from, const Window& window, size_t r, int32_t last) {
  using V = simd::Scalar;
  Outlier* to = outliers_ + r * most_outliers(k_);
  Unit& unit = units_[r];
  for (size_t i = 0; i < k_; ++i) {
    const int32_t steps = nearest_i32<V>(V::mul(from[i], window.inverse));
    const int32_t beyond = steps - std::clamp(steps, unit.first, unit.first + last);
    if (beyond == 0) continue;
    assert(unit.n_outliers < most_outliers(k_));
    to[unit.n_outliers++] = {byte_place(i), beyond};
    unit.sum += static_cast<float>(beyond);
  }
}

}  // namespace ambry::kernels
