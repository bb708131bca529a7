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
[[gnu::always_inline]] inline Halves<V> load_halves(const uint8_t* block, size_t v) {
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

// Lambdas are inlined by force: sums that are passed by address would lie in memory.
#define AMBRY_INLINE __attribute__((always_inline))

// The sum of minima times sums of codes of x. minima(quad, v) returns the minima of four
// sub-blocks.
template <class V, size_t kDigits, class Minima>
[[gnu::always_inline]] inline RowSums<V> multiply_minima(const BlockOfX& x, const Minima& minima) {
  RowSums<V> sums[kDigits];
  const int32_t* digits = x.digits;
  for (uint32_t quad = 0; quad < x.n_quads; ++quad, digits += 4) {
    unroll<kRowVectors<V>>([&](auto v) AMBRY_INLINE {
      const auto four = minima(quad, v);
      unroll<kDigits>([&](auto k) AMBRY_INLINE {
        sums[k][v] = V::add_dot_i8x4(V::splat_i8x4(digits + k), four, sums[k][v]);
      });
    });
  }
  unroll<kRowVectors<V>>([&](auto v) AMBRY_INLINE {
    unroll<kDigits - 1>([&](auto k) AMBRY_INLINE {
      constexpr auto kShift = static_cast<uint32_t>(8 * (k + 1));
      sums[0][v] = V::add_i32(sums[0][v], V::shift_left(sums[k + 1][v], kShift));
    });
  });
  return sums[0];
}

// Adds to y (products * d - minima * dmin) * x's scale, each step rounded; without minima, products
// * d * x's scale. halves(v) returns the Halves of vector v.
template <class V, bool kMinima, size_t kDigits, class HalvesOf, class Minima>
[[gnu::always_inline]] inline void add_super_block(const RowSums<V>& products,
                                                   const HalvesOf& halves, const BlockOfX& x,
                                                   const Minima& minima, float* y) {
  RowSums<V> least;
  if constexpr (kMinima) least = multiply_minima<V, kDigits>(x, minima);
  unroll<kRowVectors<V>>([&](auto v) AMBRY_INLINE {
    const Halves<V> both = halves(v);
    auto value = V::mul(V::to_f32(products[v]), both.d);
    if constexpr (kMinima) value = V::sub(value, V::mul(V::to_f32(least[v]), both.dmin));
    float* to = y + v * V::kLanes;
    V::store(to, V::add(V::load(to), V::mul(value, V::splat(x.scale))));
  });
}

}  // namespace ambry::kernels
