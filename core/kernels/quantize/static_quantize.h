// Static quantization: floats as unsigned bytes with a given scale and zero point
// (core/formats/tinyruntime/README.md#sq8-quantize). As in the reference, the rounded value and its
// sum with the zero point are taken modulo 2^16 before clamping, so a value 32,768 steps away wraps
// to the other side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/quantize/dynamic_quantize.h"

namespace ambry::kernels {

// The code of a value `steps` steps from 0, before clamping.
template <class V>
[[nodiscard]] typename V::I32 static_code(typename V::F32 steps, typename V::I32 zero_point) {
  const auto whole = V::sign_extend_i16(V::to_i32(with_rounding_bias<V>(steps)));
  return V::sign_extend_i16(V::add_i32(whole, zero_point));
}

// One byte per value: clamp(round(v / scale) + zero_point).
template <class V>
void quantize_static(std::span<const float> values, float scale, int32_t zero_point, uint8_t* to) {
  const auto zero = V::splat_i32(zero_point);
  const auto divisor = V::splat(scale);
  size_t i = 0;
  for (; i + V::kLanes <= values.size(); i += V::kLanes) {
    V::store_u8(to + i, static_code<V>(V::div(V::load(&values[i]), divisor), zero));
  }
  if (const size_t rest = values.size() - i; rest > 0) {
    uint8_t bytes[V::kLanes];
    const auto last = V::div(V::load_partial(&values[i], rest), divisor);
    V::store_u8(bytes, static_code<V>(last, zero));
    for (size_t b = 0; b < rest; ++b) to[i + b] = bytes[b];
  }
}

// Converts sums of integer products, plus a bias in the same unit, to bytes of another scale.
struct Requantization {
  float factor;  // the unit of the sums over the result's scale
  int32_t zero_point;

  // kPanelColumns sums.
  template <class V>
  void apply(const int32_t* sums, int32_t bias, uint8_t* to) const {
    for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
      const auto whole = V::add_i32(V::load_i32(sums + c), V::splat_i32(bias));
      const auto steps = V::mul(V::splat(factor), V::to_f32(whole));
      V::store_u8(to + c, static_code<V>(steps, V::splat_i32(zero_point)));
    }
  }
};

}  // namespace ambry::kernels
