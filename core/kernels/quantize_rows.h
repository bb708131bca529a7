// Rows of floats as whole numbers of 14 bits that share a scale by groups of adjacent
// numbers: what activations become before they meet integer weights. The largest of a group becomes
// ±kRowCodeLimit, so that a number is off by at most 1/16382 of it, and sums of 256 products with
// codes of 8 bits fit 32 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/group_quantize.h"

namespace ambry::kernels {

inline constexpr int32_t kRowCodeLimit = 8191;

// Row r has its codes at codes + r * n_groups * group, and for each group a scale, number = code *
// scale, and the sum of its codes.
struct QuantizedRows {
  int16_t* codes;
  float* scales;
  int32_t* sums;
};

// One group of `n` numbers, `size` codes: those past n are 0. A scale is NaN where a number is not
// finite.
template <class V>
void quantize_row_group(const float* from, size_t n, size_t size, int16_t* codes, float* scale,
                        int32_t* sum) {
  const auto load = [&](size_t i) {
    if (i + V::kLanes <= n) return V::load(from + i);
    return i < n ? V::load_partial(from + i, n - i) : V::zero();
  };
  auto largest = V::zero();
  auto bad = V::zero();  // NaN once there was infinity or NaN
  for (size_t i = 0; i < n; i += V::kLanes) {
    const auto v = load(i);
    largest = V::max(largest, V::abs(v));
    bad = V::add(bad, V::mul(v, V::zero()));
  }
  const float top = V::reduce_max(largest);
  // A scale that would vanish leaves codes of 0.
  const float step = top / static_cast<float>(kRowCodeLimit);
  const float inverse = step < std::numeric_limits<float>::min() ? 0.0F : 1.0F / step;
  *scale = step + V::reduce_add(bad);
  auto total = V::splat_i32(0);
  for (size_t i = 0; i < size; i += V::kLanes) {
    const auto code = V::to_i32(before_rounding<V>(V::mul(load(i), V::splat(inverse))));
    V::store_halves(codes + i, code);
    total = V::add_i32(total, code);
  }
  *sum = V::reduce_add_i32(total);
}

// `size` is a multiple of kLanes.
template <class V>
void quantize_rows(const float* x, size_t n_rows, size_t cols, size_t n_groups, size_t size,
                   const QuantizedRows& to) {
  for (size_t i = 0; i < n_rows * n_groups; ++i) {
    const size_t first = i % n_groups * size;
    const size_t n = std::min(size, cols - first);
    quantize_row_group<V>(x + i / n_groups * cols + first, n, size, to.codes + i * size,
                          to.scales + i, to.sums + i);
  }
}

}  // namespace ambry::kernels
