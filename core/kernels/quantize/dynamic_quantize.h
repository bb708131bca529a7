// Dynamic quantization of DQ8's activations (core/formats/tinyruntime/README.md#dq8-arithmetic): a
// panel of floats becomes int8 by groups of its rows, column for column. Codes that pass 8 bits
// wrap, as in the reference.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/layout/packed_f32_matrix.h"
#include "kernels/quantize/rounding.h"

namespace ambry::kernels {

// One group of a panel: int16 pairs, and for each column the scale, zero point and sum of codes.
struct QuantizedGroup {
  int16_t* pairs;
  float* scales;
  int32_t* zero_points;  // nullptr: symmetric
  int32_t* sums;
};

// The scales of kLanes columns whose values lie between low and high.
template <class V>
struct GroupScale {
  typename V::F32 scale;
  typename V::I32 zero_point;

  static GroupScale asymmetric(typename V::F32 low, typename V::F32 high) {
    auto scale = V::div(V::sub(high, low), V::splat(255.0F));
    scale = V::select(V::equal(scale, V::zero()), V::splat(1e-4F), scale);
    const auto zero = V::sub(V::splat(-128.0F), V::div(low, scale));
    return {scale, V::to_i32(with_rounding_bias<V>(zero))};
  }
  static GroupScale symmetric(typename V::F32 low, typename V::F32 high) {
    const auto largest = V::max(V::abs(low), V::abs(high));
    return {V::div(largest, V::splat(127.0F)), V::splat_i32(0)};
  }
  // The code is the lowest byte. A column of zeros has no scale; its values divide to NaN, which
  // converts to 0.
  [[nodiscard]] typename V::I32 code(typename V::F32 v) const {
    return V::add_i32(V::to_i32(with_rounding_bias<V>(V::div(v, scale))), zero_point);
  }
};

// Quantizes `rows` rows of kPanelColumns values. An odd last row is paired with zeros.
template <class V>
void quantize_group(const float* panel, size_t rows, const QuantizedGroup& group) {
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    auto low = V::load(panel + c);
    auto high = low;
    for (size_t i = 1; i < rows; ++i) {
      const auto v = V::load(panel + i * kPanelColumns + c);
      low = V::min(low, v);
      high = V::max(high, v);
    }
    const bool symmetric = group.zero_points == nullptr;
    const auto scale =
        symmetric ? GroupScale<V>::symmetric(low, high) : GroupScale<V>::asymmetric(low, high);
    V::store(group.scales + c, scale.scale);
    if (!symmetric) V::store_i32(group.zero_points + c, scale.zero_point);
    auto sum = V::splat_i32(0);
    const auto ones = V::splat_i32(0x00010001);
    for (size_t i = 0; i < rows; i += 2) {
      const float* from = panel + i * kPanelColumns + c;
      const auto first = scale.code(V::load(from));
      const auto second =
          i + 1 < rows ? scale.code(V::load(from + kPanelColumns)) : V::splat_i32(0);
      const auto pair = V::widen_even_i8(V::pack_i16x2(first, second));
      V::store_i16x2(group.pairs + i * kPanelColumns + 2 * c, pair);
      sum = V::add_i32(sum, V::dot_i16x2(pair, ones));
    }
    if (!symmetric) V::store_i32(group.sums + c, sum);
  }
}

}  // namespace ambry::kernels
