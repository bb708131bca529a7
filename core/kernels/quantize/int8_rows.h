// Rows of floats to and from int8 with one scale for each row, for a KV cache of about a quarter of
// the size. The largest magnitude of a row becomes 127, so a value is off by at most 1/254 of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "kernels/quantize/quantize_rows.h"

namespace ambry::kernels {

// Rounds to nearest, ties to even. Returns the scale: value = code * scale. Where a value is not
// finite the scale is NaN or infinity and the codes are 0, so that widening gives NaN.
template <class V>
[[nodiscard]] float narrow_to_int8(std::span<const float> row, int8_t* to) {
  const GroupStep step = step_of_group<V>(row.data(), row.size(), 127.0F);
  if (!std::isfinite(step.scale)) {
    std::fill_n(to, row.size(), int8_t{0});
    return step.scale;
  }
  constexpr float kMagic = 0x1.8p23F;  // the sum with it has no digits after the point
  for (size_t i = 0; i < row.size(); ++i) {
    to[i] = static_cast<int8_t>(row[i] * step.inverse + kMagic - kMagic);
  }
  return step.scale;
}

template <class V>
void widen_int8(const int8_t* row, float scale, std::span<float> to) {
  size_t i = 0;
  for (; i + V::kLanes <= to.size(); i += V::kLanes) {
    V::store(&to[i], V::mul(V::load_i8(row + i), V::splat(scale)));
  }
  for (; i < to.size(); ++i) to[i] = static_cast<float>(row[i]) * scale;
}

}  // namespace ambry::kernels
