// The codes of an encoder's activations: 7 bits, with a scale and a first step for each row, value
// = (first + code) * scale. Relaxed SIMD multiplies such codes by int8 weights exactly on every
// machine; with 8 bits processors differ. So an int8 encoder gives the same bits everywhere.
//
// Most activations of a trained encoder are around 1, but a few of each row are some tens. Codes
// that reach those would leave too few steps for the others. So the codes of such a row span only
// kClipSpread times its root mean square, and what outliers have beyond that range is multiplied
// separately, as LLM.int8() does (Dettmers et al., 2022). By Chebyshev's inequality there are few
// of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "simd/isa.h"

namespace ambry::kernels {

inline constexpr int32_t kMaxActivationCode = 127;
// Less makes more outliers, which take time: with 6, encoding takes 5 % longer.
inline constexpr float kClipSpread = 7.0F;

// The clipping range of one row.
struct ClipRange {
  float scale;
  float inverse;  // 0 where all values are 0 or not all are finite
  float first;
  bool has_outliers;

  // The range of k values from `least` <= 0 to `greatest` >= 0. `squares` is their sum of squares,
  // which is NaN where a value is NaN.
  static ClipRange of(float least, float greatest, float squares, size_t k) {
    constexpr auto kLast = static_cast<float>(kMaxActivationCode);
    const float size = greatest / kLast - least / kLast;
    const float spread = kClipSpread * std::sqrt(squares / static_cast<float>(k)) / kLast;
    if (!(size <= std::numeric_limits<float>::max()) || std::isnan(squares)) {
      return {std::numeric_limits<float>::quiet_NaN(), 0.0F, 0.0F, false};
    }
    // The squares of tiny values underflow, those of huge ones overflow.
    const bool has_outliers = squares > 1e-30F && spread < size;
    const float scale = has_outliers ? spread : size;
    if (scale < std::numeric_limits<float>::min()) return {scale, 0.0F, 0.0F, false};
    const float inverse = 1.0F / scale;
    const float low = std::nearbyint(least * inverse);
    const float high = std::nearbyint(greatest * inverse);
    // Around 0, or shifted as far as there are values.
    const float first = std::min(std::max(low, -(kLast + 1.0F) / 2), high - kLast);
    return {scale, inverse, first, has_outliers};
  }
};

template <class V>
[[nodiscard]] ClipRange clip_range_of_row(const float* from, size_t k) {
  auto least = V::zero();
  auto greatest = V::zero();
  auto squares = V::zero();
  const auto see = [&](typename V::F32 v) {
    least = V::min(least, v);
    greatest = V::max(greatest, v);
    squares = V::madd(v, v, squares);
  };
  const size_t whole = k / V::kLanes * V::kLanes;
  for (size_t i = 0; i < whole; i += V::kLanes) see(V::load(from + i));
  if (whole < k) see(V::load_partial(from + whole, k - whole));
  return ClipRange::of(V::reduce_min(least), V::reduce_max(greatest), V::reduce_add(squares), k);
}

}  // namespace ambry::kernels
