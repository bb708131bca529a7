// The integer micro-kernel: rows of A times a panel of B, in 16-bit or 8-bit integers with 32-bit
// sums. Sums are exact whatever their order, and wrap at 32 bits.
//
// A panel has kPanelColumns columns. A lane is 32 bits of one column or row: two consecutive int16
// or four consecutive bytes. Lane i of all columns of a panel lies together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/unroll.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"

namespace ambry::kernels {

// 16 bits on both sides.
struct Int16Pairs {
  using Row = int16_t;
  using Column = int16_t;
  static constexpr size_t kPerLane = 2;

  template <class V>
  static typename V::I32 load(const Column* from) {
    return V::load_i16x2(from);
  }
  template <class V>
  static typename V::I32 splat(const Row* from) {
    return V::splat_i16x2(from);
  }
  template <class V>
  static typename V::I32 add_dot(typename V::I32 row, typename V::I32 column, typename V::I32 sum) {
    return V::add_i32(sum, V::dot_i16x2(row, column));
  }
};

// Four bytes on both sides. One side is signed. The other side is unsigned and below 128;
// split_eighth_bits() takes care of larger values.
template <class R, class C>
struct ByteQuads {
  using Row = R;
  using Column = C;
  static constexpr size_t kPerLane = 4;

  template <class V>
  static typename V::I32 load(const Column* from) {
    return V::load_i8x4(from);
  }
  template <class V>
  static typename V::I32 splat(const Row* from) {
    return V::splat_i8x4(from);
  }
  template <class V>
  static typename V::I32 add_dot(typename V::I32 row, typename V::I32 column, typename V::I32 sum) {
    return std::is_signed_v<Row> ? V::add_dot_i8x4(row, column, sum)
                                 : V::add_dot_i8x4(column, row, sum);
  }
};
using Int8ByUint8 = ByteQuads<int8_t, uint8_t>;
using Uint8ByInt8 = ByteQuads<uint8_t, int8_t>;

// Widens a block of eight k, two byte lanes per column, to four int16 lanes per column. The even
// bytes of the lanes hold k = 0, 1 and 2, 3; the odd bytes hold k = 4, 5 and 6, 7.
template <class V>
void widen_int8_block(const void* bytes, int16_t* pairs) {
  constexpr size_t kPair = 2 * kPanelColumns;
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    const auto* from = static_cast<const int8_t*>(bytes) + 4 * c;
    int16_t* to = pairs + 2 * c;
    const auto first = V::load_i8x4(from);
    const auto second = V::load_i8x4(from + 4 * kPanelColumns);
    V::store_i16x2(to, V::widen_even_i8(first));
    V::store_i16x2(to + kPair, V::widen_even_i8(second));
    V::store_i16x2(to + 2 * kPair, V::widen_odd_i8(first));
    V::store_i16x2(to + 3 * kPair, V::widen_odd_i8(second));
  }
}

// Moves the eighth bit of each byte to `high`, where it counts 128. Returns whether any byte had
// it.
inline bool split_eighth_bits(uint8_t* codes, size_t n, uint8_t* high) {
  uint8_t any = 0;
  for (size_t i = 0; i < n; ++i) {
    high[i] = static_cast<uint8_t>(codes[i] >> 7U);
    codes[i] = codes[i] & 0x7FU;
    any |= high[i];
  }
  return any != 0;
}

// 8 vectors of sums, 2 for the panel and 1 for the row.
inline constexpr size_t kIntegerTileRows = 4;

// Calls put(r, v, sums) with vector v of the sums of row r over all lanes. Rows are `stride` values
// apart. for_lanes(multiply) calls multiply(i) for each lane i.
template <class V, class Operands, size_t kRows, class ForLanes, class Put>
[[gnu::always_inline]] inline void sum_lanes(const typename Operands::Row* a, size_t stride,
                                             const typename Operands::Column* panel,
                                             const ForLanes& for_lanes, const Put& put) {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  constexpr size_t kPerLane = Operands::kPerLane;
  typename V::I32 sums[kRows][kVectors];
  unroll<kRows>([&](auto r) {
    unroll<kVectors, kLoopOverVectors<V>>([&](auto v) { sums[r][v] = V::splat_i32(0); });
  });
  for_lanes([&](size_t i) {
    typename V::I32 b[kVectors];
    unroll<kVectors, kLoopOverVectors<V>>(
        [&](auto v) { b[v] = Operands::template load<V>(panel + kPerLane * v * V::kLanes); });
    unroll<kRows>([&](auto r) {
      const auto x = Operands::template splat<V>(a + r * stride + kPerLane * i);
      unroll<kVectors, kLoopOverVectors<V>>(
          [&](auto v) { sums[r][v] = Operands::template add_dot<V>(x, b[v], sums[r][v]); });
    });
    panel += kPerLane * kPanelColumns;
  });
  unroll<kRows>([&](auto r) {
    unroll<kVectors, kLoopOverVectors<V>>([&](auto v) { put(r, v, sums[r][v]); });
  });
}

template <class V, class Operands, size_t kRows, class Put>
[[gnu::always_inline]] inline void sum_products(const typename Operands::Row* a, size_t stride,
                                                const typename Operands::Column* panel,
                                                size_t n_lanes, const Put& put) {
  const auto for_lanes = [n_lanes](const auto& multiply) __attribute__((always_inline)) {
    for (size_t i = 0; i < n_lanes; ++i) multiply(i);
  };
  sum_lanes<V, Operands, kRows>(a, stride, panel, for_lanes, put);
}

// Stores the sums of a tile of kRows rows: tile[r][0..8).
template <class V, class Operands, size_t kRows>
void multiply_integer_tile(const typename Operands::Row* a, size_t stride,
                           const typename Operands::Column* panel, size_t n_lanes, int32_t* tile) {
  sum_products<V, Operands, kRows>(a, stride, panel, n_lanes, [&](auto r, auto v, auto sums) {
    V::store_i32(tile + r * kPanelColumns + v * V::kLanes, sums);
  });
}

// Stores the sums of a tile with 1 <= rows <= kRows: tile[r][0..8).
template <class V, class Operands, size_t kRows = kIntegerTileRows>
void multiply_integer_rows(size_t rows, const typename Operands::Row* a, size_t stride,
                           const typename Operands::Column* panel, size_t n_lanes, int32_t* tile) {
  if constexpr (kRows > 1) {
    if (rows < kRows) {
      return multiply_integer_rows<V, Operands, kRows - 1>(rows, a, stride, panel, n_lanes, tile);
    }
  }
  multiply_integer_tile<V, Operands, kRows>(a, stride, panel, n_lanes, tile);
}

}  // namespace ambry::kernels
