// What completes the products of a super-block (super_block_layout.h): the part of the minima, and
// the only step that is not of integers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/super_block_codes.h"

namespace ambry::kernels {

// Rows of x, quantized by super-blocks.
struct SuperBlockRows {
  const void* codes;  // int16 in order, or bytes in the order of Int8Rows
  size_t row_bytes;
  const float* scales;  // one for each super-block
  // For each sub-block, where the sum of its products starts: -offset times the sum of its codes.
  // With minima, for each four sub-blocks, four words of which word i has digit i of the four sums
  // of codes in its bytes (put_digits()).
  const int32_t* sums;
};

// Multiplies one row of x by a panel: (panel, super-blocks, x, kInt4Table or its bytes, results).
using SuperBlockRowKernel = void(const uint8_t*, size_t, const SuperBlockRows&, const void*,
                                 float*);

// Replaces the sums of four sub-blocks by their digits in base 256, from -128 to 127: digit i of
// sum j becomes byte j of word i.
inline void put_digits(int32_t* sums) {
  uint32_t words[4] = {};
  for (uint32_t j = 0; j < 4; ++j) {
    int64_t rest = sums[j];
    for (uint32_t& word : words) {
      const auto digit = static_cast<uint8_t>(rest & 0xFF);
      word |= uint32_t{digit} << 8 * j;
      rest = (rest - static_cast<int8_t>(digit)) >> 8;
    }
  }
  for (size_t i = 0; i < 4; ++i) sums[i] = static_cast<int32_t>(words[i]);
}

// The scales of a vector of rows, and of their minima.
template <class V>
struct Halves {
  typename V::F32 d;
  typename V::F32 dmin;
};
template <class V, bool kMinima>
[[nodiscard]] Halves<V> load_halves(const uint8_t* block, size_t v) {
  const auto* halves = reinterpret_cast<const uint16_t*>(block) + v * V::kLanes;
  const auto d = V::load_f16(halves);
  return {d, kMinima ? V::load_f16(halves + kPanelColumns) : d};
}

// What of x is needed for a super-block of `n_quads` times four sub-blocks.
struct BlockOfX {
  const int32_t* digits;
  size_t n_quads;
  float scale;
};

// The sum of minima times sums of codes of x. minima(quad) returns the minima of four sub-blocks.
template <class V, size_t kDigits, class Minima>
[[gnu::always_inline]] inline typename V::I32 multiply_minima(const BlockOfX& x,
                                                              const Minima& minima) {
  typename V::I32 sums[kDigits];
  unroll<kDigits>([&](auto k) { sums[k] = V::splat_i32(0); });
  for (uint32_t quad = 0; quad < x.n_quads; ++quad) {
    const auto four = minima(quad);
    const int32_t* digits = x.digits + size_t{4} * quad;
    unroll<kDigits>(
        [&](auto k) { sums[k] = V::add_dot_i8x4(V::splat_i8x4(digits + k), four, sums[k]); });
  }
  auto total = sums[0];
  unroll<kDigits - 1>([&](auto k) {
    total = V::add_i32(total, V::shift_left(sums[k + 1], static_cast<uint32_t>(8 * (k + 1))));
  });
  return total;
}

// y + (products * d - minima * dmin) * x's scale, each step rounded; without minima, y + products *
// d * x's scale.
template <class V, bool kMinima, size_t kDigits, class Minima>
[[gnu::always_inline]] inline typename V::F32 add_super_block(typename V::F32 y,
                                                              typename V::I32 products,
                                                              const Halves<V>& halves,
                                                              const BlockOfX& x,
                                                              const Minima& minima) {
  auto value = V::mul(V::to_f32(products), halves.d);
  if constexpr (kMinima) {
    const auto least = V::to_f32(multiply_minima<V, kDigits>(x, minima));
    value = V::sub(value, V::mul(least, halves.dmin));
  }
  return V::add(y, V::mul(value, V::splat(x.scale)));
}

}  // namespace ambry::kernels
