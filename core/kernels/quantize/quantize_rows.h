// Quantizes rows of floats by groups of adjacent values that share a scale: activations, before
// they are multiplied by integer weights. The largest magnitude of a group becomes the largest
// code, so a value is off by at most half a step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/quantize/rounding.h"
#include "simd/isa.h"

namespace ambry::kernels {

// The largest code of at most 14 bits for which sums of `n` products with int8 codes fit 32 bits.
[[nodiscard]] inline float max_int16_code(size_t n) {
  return static_cast<float>(std::min<size_t>(INT32_MAX / (size_t{128} * n), 8191));
}

// Row r has its codes at codes + r * n_groups * group. Each group has a scale, value = code *
// scale, and the sum of its codes.
struct QuantizedRows {
  int16_t* codes;
  float* scales;
  int32_t* sums;
};

// The step of a group. `inverse` is 0 where the scale would underflow.
struct GroupStep {
  float scale;
  float inverse;
};

// The scale is NaN where a value is not finite.
template <class V>
[[nodiscard]] GroupStep step_of_group(const float* from, size_t n, float limit) {
  auto largest = V::zero();
  auto bad = V::zero();  // NaN after an infinity or NaN
  const auto see = [&](typename V::F32 v) {
    largest = V::max(largest, V::abs(v));
    bad = V::add(bad, V::mul(v, V::zero()));
  };
  const size_t whole = n / V::kLanes * V::kLanes;
  for (size_t i = 0; i < whole; i += V::kLanes) see(V::load(from + i));
  if (whole < n) see(V::load_partial(from + whole, n - whole));
  const float step = V::reduce_max(largest) / limit;
  const float inverse = step < std::numeric_limits<float>::min() ? 0.0F : 1.0F / step;
  return {step + V::reduce_add(bad), inverse};
}

// Quantizes a group of `n` values to `size` codes; those past n are 0.
template <class V>
void quantize_row_group(const float* from, size_t n, size_t size, float limit, int16_t* codes,
                        float* scale, int32_t* sum) {
  const GroupStep step = step_of_group<V>(from, n, limit);
  auto total = V::splat_i32(0);
  const auto encode = [&](size_t i, typename V::F32 v) {
    const auto code = round_to_i32<V>(V::mul(v, V::splat(step.inverse)));
    V::store_i16(codes + i, code);
    total = V::add_i32(total, code);
  };
  const size_t whole = n / V::kLanes * V::kLanes;
  for (size_t i = 0; i < whole; i += V::kLanes) encode(i, V::load(from + i));
  if (whole < n) encode(whole, V::load_partial(from + whole, n - whole));
  std::fill(codes + (n + V::kLanes - 1) / V::kLanes * V::kLanes, codes + size, int16_t{0});
  *scale = step.scale;
  *sum = V::reduce_add_i32(total);
}

// Quantizes n_rows rows of `cols` values in groups of `size`, a multiple of kLanes, to codes up to
// `limit`.
template <class V>
[[gnu::noinline]] void quantize_rows(const float* x, size_t n_rows, size_t cols, size_t n_groups,
                                     size_t size, float limit, const QuantizedRows& to) {
  for (size_t i = 0; i < n_rows * n_groups; ++i) {
    const size_t first = i % n_groups * size;
    const size_t n = std::min(size, cols - first);
    quantize_row_group<V>(x + i / n_groups * cols + first, n, size, limit, to.codes + i * size,
                          to.scales + i, to.sums + i);
  }
}

// Compiled for speed in kernels/instantiations.cpp.
extern template void quantize_rows<simd::Best>(const float*, size_t, size_t, size_t, size_t, float,
                                               const QuantizedRows&);

}  // namespace ambry::kernels
