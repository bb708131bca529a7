// Several rows of quantized x times a panel of super-blocks (super_block_layout.h). The panel is
// unpacked once: its scales to 32 bits and its codes to bytes, or both multiplied to pairs of 16
// bits, which hold every scale times code. Then the kernels are the same for all types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/gemm/groups/group_panel_int8.h"
#include "kernels/gemm/layout/integer_microkernel.h"
#include "kernels/gemm/super_blocks/super_block_codes.h"
#include "kernels/gemm/super_blocks/super_block_sums.h"

namespace ambry::kernels {

// The integers of super-blocks, one after another.
struct UnpackedSuperBlocks {
  uint8_t* codes;   // fours of all rows, as multiply_int8_tile() reads them
  int32_t* scales;  // of each sub-block, of all rows
  int32_t* minima;  // of each four sub-blocks, of all rows; four bytes
};

// The factors of each super-block: 8 times d, 8 times dmin.
struct UnpackedPanelOfBlocks {
  UnpackedSuperBlocks integers;
  int16_t* pairs;  // scale * (code - offset), as multiply_integer_rows() reads them
  float* factors;
};

inline constexpr size_t kBlockFactors = 2 * kPanelColumns;

template <class V, SuperBlockLayout kLayout>
[[gnu::noinline]] void unpack_super_block(const uint8_t* block, const void* table_bytes,
                                          const UnpackedSuperBlocks& to, float* factors) {
  constexpr uint32_t kQuads = kLayout.sub_blocks() / 4;
  const auto table = V::load_table(table_bytes);
  const auto* scales = reinterpret_cast<const int32_t*>(block + kLayout.scales_at());
  const auto* words = reinterpret_cast<const int32_t*>(block + kLayout.codes_at());
  unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) {
    const size_t row = v * V::kLanes;
    const auto both = load_factors<V, kLayout.minima>(block, v);
    V::store(factors + row, both.d);
    V::store(factors + kPanelColumns + row, both.dmin);
    auto word = V::splat_i32(0);
    for (uint32_t g = 0; g < kLayout.sub_blocks(); ++g) {
      constexpr uint32_t kPerWord = 32 / kLayout.scale_bits;
      if (g % kPerWord == 0) word = V::load_i32(scales + g / kPerWord * kPanelColumns + row);
      V::store_i32(to.scales + g * kPanelColumns + row, take_scale<V, kLayout>(word));
    }
    if constexpr (kLayout.minima) {
      for (uint32_t quad = 0; quad < kQuads; ++quad) {
        V::store_i32(to.minima + quad * kPanelColumns + row,
                     four_minima<V, kLayout>(block, quad, v));
      }
    }
  });
  uint8_t* codes = to.codes;
  for (size_t i = 0; i < kSuperBlock; i += size_t{4} * kLayout.group_fours()) {
    unroll<kLayout.group_fours()>([&](auto four) {
      unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) {
        V::store_i8x4(codes + 4 * v * V::kLanes, four_codes<V, kLayout, four>(words, v, table));
      });
      codes += 4 * kPanelColumns;
    });
    words += kLayout.group_words() * kPanelColumns;
  }
}

// Multiplies the codes of an unpacked super-block by its scales, which leaves pairs of 16 bits in
// the order of columns.
template <class V>
[[gnu::noinline]] void multiply_codes_by_scales(const UnpackedSuperBlocks& from,
                                                const SuperBlockLayout& layout, int16_t* pairs) {
  const auto excess = V::splat_i32(layout.offset * 0x10001);
  const bool table = layout.table > 0;  // codes are signed
  for (size_t i = 0; i < kSuperBlock; i += 4) {
    // Fours of columns 0, 4, 1, 5 and 2, 6, 3, 7.
    int16_t* even = pairs + (i / 8 * 8 + i % 8 / 2) * kPanelColumns;
    int16_t* odd = even + 4 * kPanelColumns;
    for (size_t r = 0; r < kPanelColumns; r += V::kLanes) {
      const auto four = V::load_i8x4(from.codes + (i * kPanelColumns + 4 * r));
      const auto scale = V::load_i32(from.scales + i / layout.sub_block * kPanelColumns + r);
      const auto both = V::pack_i16x2(scale, scale);
      const auto put = [&](int16_t* to, typename V::I32 codes) {
        V::store_i16x2(to + 2 * r, V::mul_i16x2(V::sub_i16x2(codes, excess), both));
      };
      put(even, table ? V::widen_even_i8(four) : V::and_i32(four, V::splat_i32(0x00FF00FF)));
      put(odd, table ? V::widen_odd_i8(four) : V::shift_right_u16x2(four, 8));
    }
  }
}

struct SuperBlockShape {
  size_t n_blocks;
  size_t sub_block;   // columns
  size_t sub_blocks;  // of a super-block
};

// Adds the products of block b to the results of `rows` rows of x from `row` on.
template <class V, bool kMinima, size_t kDigits>
[[gnu::always_inline]] inline void add_block_of_rows(const SuperBlockRows& x, size_t row,
                                                     size_t rows, const SuperBlockShape& shape,
                                                     const UnpackedPanelOfBlocks& panel, size_t b,
                                                     const int32_t* products, float* y) {
  const size_t n_quads = shape.sub_blocks / 4;
  const float* of_block = panel.factors + b * kBlockFactors;
  const int32_t* minima_of_block = panel.integers.minima + b * n_quads * kPanelColumns;
  const auto factors = [&](size_t v) AMBRY_INLINE {
    const float* d = of_block + v * V::kLanes;
    return BlockFactors<V>{V::load(d), V::load(d + kPanelColumns)};
  };
  const auto minima = [&](size_t quad, size_t v) AMBRY_INLINE {
    return V::load_i32(minima_of_block + quad * kPanelColumns + v * V::kLanes);
  };
  for (size_t r = 0; r < rows; ++r, products += kPanelColumns, y += kPanelColumns) {
    const size_t at = (row + r) * shape.n_blocks + b;
    const BlockOfX<size_t> of_x{x.sums + at * shape.sub_blocks, n_quads, x.scales[at]};
    RowSums<V> sums;
    unroll<kRowVectors<V>, kLoopOverVectors<V>>(
        [&](auto v) AMBRY_INLINE { sums[v] = V::load_i32(products + v * V::kLanes); });
    add_super_block<V, kMinima, kDigits>(sums, factors, of_x, minima, y);
  }
}

// Results of a tile, and its sums over a super-block.
struct SuperBlockTile {
  float y[kInt8TileRows * kPanelColumns];
  int32_t sums[kInt8TileRows * kPanelColumns];
};

// Computes y[r][0..8) for six rows from `row` on, in bytes.
template <class V, bool kMinima>
[[gnu::noinline]] void multiply_super_block_tile(const SuperBlockRows& x, size_t row,
                                                 const SuperBlockShape& shape,
                                                 const UnpackedPanelOfBlocks& panel,
                                                 SuperBlockTile& tile) {
  std::fill_n(tile.y, kInt8TileRows * kPanelColumns, 0.0F);
  const size_t stride = shape.n_blocks * kSuperBlock;
  const size_t n_sub_blocks = shape.sub_blocks;
  const auto* codes = static_cast<const int8_t*>(x.codes) + row * x.row_bytes;
  const uint8_t* weights = panel.integers.codes;
  const int32_t* scales = panel.integers.scales;
  for (size_t b = 0; b < shape.n_blocks; ++b) {
    std::fill_n(tile.sums, kInt8TileRows * kPanelColumns, 0);
    const int32_t* start = x.sums + (row * shape.n_blocks + b) * n_sub_blocks;
    for (size_t g = 0; g < n_sub_blocks; ++g) {
      // Keeps these sums in memory. There are not enough registers for them and the products.
      asm volatile("" : : : "memory");
      sum_products<V, Int8ByUint8, kInt8TileRows>(
          codes, stride, weights, shape.sub_block / 4,
          [&](auto r, auto v, typename V::I32 products) {
            if constexpr (!kMinima) {
              products =
                  V::add_i32(products, V::splat_i32(start[r * shape.n_blocks * n_sub_blocks + g]));
            }
            int32_t* to = tile.sums + r * kPanelColumns + v * V::kLanes;
            const auto scale = V::load_i32(scales + v * V::kLanes);
            V::store_i32(to, V::add_i32(V::load_i32(to), V::mul_i32(products, scale)));
          });
      codes += shape.sub_block;
      weights += shape.sub_block * kPanelColumns;
      scales += kPanelColumns;
    }
    add_block_of_rows<V, kMinima, 2>(x, row, kInt8TileRows, shape, panel, b, tile.sums, tile.y);
  }
}

// Multiplies up to kIntegerTileRows rows by a panel, in int16 pairs.
template <class V, bool kMinima>
[[gnu::noinline]] void multiply_super_block_pairs(const SuperBlockRows& x, size_t row, size_t rows,
                                                  const SuperBlockShape& shape,
                                                  const UnpackedPanelOfBlocks& panel, float* y) {
  std::fill_n(y, rows * kPanelColumns, 0.0F);
  const size_t stride = shape.n_blocks * kSuperBlock;
  const auto* codes = static_cast<const int16_t*>(x.codes) + row * stride;
  const int16_t* pairs = panel.pairs;
  int32_t sums[kIntegerTileRows * kPanelColumns];
  for (size_t b = 0; b < shape.n_blocks; ++b) {
    multiply_integer_rows<V, Int16Pairs>(rows, codes, stride, pairs, kSuperBlock / 2, sums);
    add_block_of_rows<V, kMinima, 3>(x, row, rows, shape, panel, b, sums, y);
    codes += kSuperBlock;
    pairs += kSuperBlock * kPanelColumns;
  }
}

#undef AMBRY_INLINE

}  // namespace ambry::kernels
