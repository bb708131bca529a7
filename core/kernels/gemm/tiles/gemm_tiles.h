// The loops around the micro-kernels, shared by f32_gemm.h and int8_gemm.h: blocks of rows that fit
// L2 (for_panels), panels of B that stay in L1 while those rows pass, tiles of rows (share_rows),
// and the storing of finished tiles (store_tile).
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "base/unroll.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"
#include "kernels/gemm/tiles/epilogue.h"

namespace ambry::kernels {

// Bytes of A in one block of rows: about half of a small L2 cache.
inline constexpr size_t kRowBlockBytes = size_t{192} * 1024;

// Tiles have 6 or 5 rows, or 4, 2 or 1. Other sizes have no code of their own, which keeps the
// download small.
[[nodiscard]] constexpr size_t smaller_tile(size_t rows) { return rows > 4 ? 4 : rows / 2; }

// Calls multiply(kRows) for the largest tile of at most `rows` rows and returns its size.
template <size_t kRows, class Multiply>
size_t with_tile_rows(size_t rows, const Multiply& multiply) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return with_tile_rows<smaller_tile(kRows)>(rows, multiply);
  }
  multiply(std::integral_constant<size_t, kRows>());
  return kRows;
}

// A tile's sums and their place in C. C has `columns` of the tile's columns, from `to` on.
struct Tile {
  const float* sums;  // rows * kPanelColumns
  size_t rows;
  size_t row;  // in C, like `column`
  size_t column;
  size_t columns;
  float* to;
  size_t stride;
};

using StoreTile = void (*)(const void* epilogue, const Tile& tile);

// Handles both vectors of a row together: the constants of an activation are loaded once for both,
// and the two computations overlap.
template <class V, class Epilogue>
void store_tile(const void* epilogue, const Tile& tile) {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  const Epilogue& finish = *static_cast<const Epilogue*>(epilogue);
  for (size_t r = 0; r < tile.rows; ++r) {
    typename V::F32 results[kVectors];
    unroll<kVectors, kLoopOverVectors<V>>([&](auto v) {
      const size_t i = v * V::kLanes;
      const size_t n = std::min(V::kLanes, tile.columns - std::min(i, tile.columns));
      const auto sums = V::load(tile.sums + r * kPanelColumns + i);
      results[v] = finish.template apply<V>(sums, tile.row + r, tile.column + i, n);
    });
    float* to = tile.to + r * tile.stride;
    unroll<kVectors, kLoopOverVectors<V>>([&](auto v) {
      const size_t i = v * V::kLanes;
      if (i + V::kLanes <= tile.columns) {
        V::store(to + i, results[v]);
      } else if (i < tile.columns) {
        V::store_partial(to + i, tile.columns - i, results[v]);
      }
    });
  }
}

// Splits rows [begin, end) into tiles of at most `most` rows, of about equal size. Calls use(rows)
// for each tile, after setting tile.row; `use` must set tile.rows to the rows that it took, at most
// `rows`.
template <class Use>
void share_rows(size_t begin, size_t end, size_t most, Tile& tile, const Use& use) {
  for (tile.row = begin; tile.row < end; tile.row += tile.rows) {
    const size_t left = end - tile.row;
    const size_t n_tiles = (left + most - 1) / most;
    use((left + n_tiles - 1) / n_tiles);
    tile.to += tile.rows * tile.stride;
  }
}

// Goes over blocks of rows that fit the cache, of at least `least` rows, and within each block over
// all panels of the n columns. Calls use(begin, end, tile); `tile` says which columns.
template <class Use>
void for_panels(size_t rows, size_t row_bytes, size_t least, size_t n, float* c, size_t c_stride,
                const Use& use) {
  const size_t block = std::max(kRowBlockBytes / std::max<size_t>(row_bytes, 1), least);
  for (size_t begin = 0; begin < rows; begin += block) {
    const size_t end = std::min(begin + block, rows);
    for (size_t column = 0; column < n; column += kPanelColumns) {
      Tile tile{};
      tile.column = column;
      tile.columns = std::min(kPanelColumns, n - column);
      tile.to = c + begin * c_stride + column;
      tile.stride = c_stride;
      use(begin, end, tile);
    }
  }
}

}  // namespace ambry::kernels
