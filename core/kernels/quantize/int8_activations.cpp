#include "kernels/quantize/int8_activations.h"

#include <cassert>

#include "simd/scalar.h"

namespace ambry::kernels {

void Int8Activations::store_outliers(const float* from, const ClipRange& range, size_t r) {
  using V = simd::Scalar;
  Outlier* to = outliers_ + r * max_outliers(k_);
  RowParameters& unit = parameters_[r];
  for (size_t i = 0; i < k_; ++i) {
    const int32_t steps = round_to_i32<V>(V::mul(from[i], range.inverse));
    const int32_t beyond = steps - std::clamp(steps, unit.first, unit.first + kMaxActivationCode);
    if (beyond == 0) continue;
    assert(unit.n_outliers < max_outliers(k_));
    to[unit.n_outliers++] = Outlier(packed_position(i), beyond);
    unit.sum += beyond;
  }
}

}  // namespace ambry::kernels
