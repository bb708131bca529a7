// What completes the products of a super-block (super_block_layout.h): the part of the minima, and
// the only step that is not of integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/gemm/layout/panels_ahead.h"
#include "kernels/gemm/super_blocks/super_block_codes.h"

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
  PanelsAhead ahead;  // for one row
};

// Multiplies one row of x by a panel: (panel, super-blocks, x, the 16
// numbers of codes or their bytes, results).
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

// d and dmin of a vector of rows.
template <class V>
struct BlockFactors {
  typename V::F32 d;
  typename V::F32 dmin;
};
template <class V, bool kMinima>
[[gnu::always_inline]] inline BlockFactors<V> load_factors(const uint8_t* block, size_t v) {
  const float* from = reinterpret_cast<const float*>(block) + v * V::kLanes;
  const auto d = V::load(from);
  return {d, kMinima ? V::load(from + kPanelColumns) : d};
}

// What of x is needed for a super-block of `n_quads` times four sub-blocks, a number or a constant.
template <class Quads>
struct BlockOfX {
  const int32_t* digits;
  Quads n_quads;
  float scale;
};

template <class Quads, class Use>
[[gnu::always_inline]] inline void for_each_quad(Quads n_quads, const Use& use) {
  if constexpr (std::is_same_v<Quads, size_t>) {
    for (uint32_t quad = 0; quad < n_quads; ++quad) use(quad);
  } else {
    unroll<std::remove_const_t<Quads>::value>(use);
  }
}

// The sum of minima times sums of codes of x. minima(quad, v) returns the minima of four
// sub-blocks.
template <class V, size_t kDigits, class Quads, class Minima>
[[gnu::always_inline]] inline RowSums<V> multiply_minima(const BlockOfX<Quads>& x,
                                                         const Minima& minima) {
  RowSums<V> sums[kDigits];
  for_each_quad(x.n_quads, [&](auto quad) AMBRY_INLINE {
    const int32_t* digits = x.digits + size_t{4} * quad;
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) AMBRY_INLINE {
      const auto four = minima(quad, v);
      unroll<kDigits>([&](auto k) AMBRY_INLINE {
        sums[k][v] = V::add_dot_i8x4(V::splat_i8x4(digits + k), four, sums[k][v]);
      });
    });
  });
  unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) AMBRY_INLINE {
    unroll<kDigits - 1>([&](auto k) AMBRY_INLINE {
      constexpr auto kShift = static_cast<uint32_t>(8 * (k + 1));
      sums[0][v] = V::add_i32(sums[0][v], V::shift_left(sums[k + 1][v], kShift));
    });
  });
  return sums[0];
}

// Adds to y (products * d - minima * dmin) * x's scale, each step rounded; without minima, products
// * d * x's scale. factors(v) returns the BlockFactors of vector v.
template <class V, bool kMinima, size_t kDigits, class Quads, class FactorsOf, class Minima>
[[gnu::always_inline]] inline void add_super_block(const RowSums<V>& products,
                                                   const FactorsOf& factors,
                                                   const BlockOfX<Quads>& x, const Minima& minima,
                                                   float* y) {
  RowSums<V> least;
  if constexpr (kMinima) least = multiply_minima<V, kDigits>(x, minima);
  unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) AMBRY_INLINE {
    const BlockFactors<V> both = factors(v);
    auto value = V::mul(V::to_f32(products[v]), both.d);
    if constexpr (kMinima) value = V::sub(value, V::mul(V::to_f32(least[v]), both.dmin));
    float* to = y + v * V::kLanes;
    V::store(to, V::add(V::load(to), V::mul(value, V::splat(x.scale))));
  });
}

}  // namespace ambry::kernels
