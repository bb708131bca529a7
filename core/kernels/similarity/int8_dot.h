// int8 rows: dot products with a vector of int16 (exact) or of floats, and dequantization.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ambry::kernels {

// The sum and every partial sum must fit 32 bits.
template <class V>
[[nodiscard]] int32_t dot_int8(std::span<const int16_t> a, const int8_t* row) {
  constexpr size_t kPairs = 2 * V::kLanes;
  auto sum0 = V::splat_i32(0);
  auto sum1 = V::splat_i32(0);
  size_t i = 0;
  for (; i + 2 * kPairs <= a.size(); i += 2 * kPairs) {
    const auto first = V::dot_i16x2(V::load_i16x2(&a[i]), V::load_i8_as_i16x2(row + i));
    const size_t next = i + kPairs;
    const auto second = V::dot_i16x2(V::load_i16x2(&a[next]), V::load_i8_as_i16x2(row + next));
    sum0 = V::add_i32(sum0, first);
    sum1 = V::add_i32(sum1, second);
  }
  int32_t sum = V::reduce_add_i32(V::add_i32(sum0, sum1));
  for (; i < a.size(); ++i) sum += a[i] * row[i];
  return sum;
}

// Adds in a fixed order.
template <class V>
[[nodiscard]] float dot_int8(std::span<const float> a, const int8_t* row) {
  auto total = V::zero();
  size_t i = 0;
  for (; i + V::kLanes <= a.size(); i += V::kLanes) {
    total = V::madd(V::load(&a[i]), V::load_i8(row + i), total);
  }
  float sum = V::reduce_add(total);
  for (; i < a.size(); ++i) sum += a[i] * static_cast<float>(row[i]);
  return sum;
}

// to = (row - zero_point) * scale.
template <class V>
void dequantize_int8(const int8_t* row, float scale, float zero_point, std::span<float> to) {
  const auto zero = V::splat(zero_point);
  const auto factor = V::splat(scale);
  size_t i = 0;
  for (; i + V::kLanes <= to.size(); i += V::kLanes) {
    V::store(&to[i], V::mul(V::sub(V::load_i8(row + i), zero), factor));
  }
  for (; i < to.size(); ++i) to[i] = (static_cast<float>(row[i]) - zero_point) * scale;
}

}  // namespace ambry::kernels
