// C = epilogue(A B), A row-major in f32, B packed in panels (packed_matrix.h).
//
// The inner loop keeps a tile of kTileRows x 8 sums in registers: 5 rows use 10 of 16 vector
// registers for sums, 2 for B, 1 for A and 1 for the product; a fused multiply-add frees one and
// allows 6. Panels are the outer loop, so that a panel stays in L1 while the rows of A pass;
// rows come in blocks that fit L2. Every sum runs over k in order, whatever the tile: a row's
// results do not depend on the rows around it.
//
// int8 panels are widened to f32 once for a block of rows.
//
// All epilogues share one copy of the loops, which hand every finished tile to a function of the
// epilogue: a call for each tile costs nothing, a copy for each epilogue 3 KB of WebAssembly.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/epilogue.h"
#include "kernels/packed_matrix.h"
#include "kernels/unroll.h"

namespace ambry::kernels {

// A row-major matrix seen through a stride (floats from one row to the next).
struct MatrixView {
  const float* data;
  size_t rows;
  size_t stride;
};

template <class V>
inline constexpr size_t kTileRows = V::kFusedMadd ? 6 : 5;

// Bytes of A that one block of rows may take, about half of a small L2 cache.
inline constexpr size_t kRowBlockBytes = size_t{192} * 1024;

// tile[r][0..8) = row r of A times the panel. The only loop that matters for speed.
template <class V, size_t kRows>
void multiply_tile(const float* a, size_t stride, const float* panel, size_t k, float* tile) {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  typename V::F32 sums[kRows][kVectors];
  unroll<kRows>([&](auto r) { unroll<kVectors>([&](auto v) { sums[r][v] = V::zero(); }); });
  for (size_t i = 0; i < k; ++i, panel += kPanelColumns) {
    typename V::F32 b[kVectors];
    unroll<kVectors>([&](auto v) { b[v] = V::load(panel + v * V::kLanes); });
    unroll<kRows>([&](auto r) {
      const auto x = V::splat(a[r * stride + i]);
      unroll<kVectors>([&](auto v) { sums[r][v] = V::madd(x, b[v], sums[r][v]); });
    });
  }
  unroll<kRows>([&](auto r) {
    unroll<kVectors>(
        [&](auto v) { V::store(tile + r * kPanelColumns + v * V::kLanes, sums[r][v]); });
  });
}

// The same for 1 <= rows <= kRows, picked at run time.
template <class V, size_t kRows = kTileRows<V>>
void multiply_rows(size_t rows, const float* a, size_t stride, const float* panel, size_t k,
                   float* tile) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return multiply_rows<V, kRows - 1>(rows, a, stride, panel, k, tile);
  }
  multiply_tile<V, kRows>(a, stride, panel, k, tile);
}

// A tile's results and where in C they belong: C has `columns` of the tile's columns from `to` on.
struct Tile {
  const float* sums;  // rows * kPanelColumns
  size_t rows;
  size_t row;  // of C, as is `column`
  size_t column;
  size_t columns;
  float* to;
  size_t stride;
};

using StoreTile = void (*)(const void* epilogue, const Tile& tile);

template <class V, class Epilogue>
void store_tile(const void* epilogue, const Tile& tile) {
  const Epilogue& finish = *static_cast<const Epilogue*>(epilogue);
  for (size_t r = 0; r < tile.rows; ++r) {
    for (size_t i = 0; i < tile.columns; i += V::kLanes) {
      const size_t n = std::min(V::kLanes, tile.columns - i);
      const auto sums = V::load(tile.sums + r * kPanelColumns + i);
      const auto result = finish.template apply<V>(sums, tile.row + r, tile.column + i, n);
      float* to = tile.to + r * tile.stride + i;
      if (n == V::kLanes) {
        V::store(to, result);
      } else {
        V::store_partial(to, n, result);
      }
    }
  }
}

template <class V>
void widen_panel(const PackedMatrix& b, size_t i, float* panel) {
  const int8_t* from = b.int8_panel(i);
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    const auto scale = V::load(b.scales(i) + c);
    const auto zero_point = V::load(b.zero_points(i) + c);
    for (size_t row = 0; row < b.k(); ++row) {
      const size_t at = row * kPanelColumns + c;
      V::store(panel + at, V::mul(V::sub(V::load_i8(from + at), zero_point), scale));
    }
  }
}

// B as the loops want it: f32 panels one after another, or an int8 matrix and room for one panel.
struct PanelView {
  size_t n;
  size_t k;
  const float* f32;
  const PackedMatrix* int8 = nullptr;
  float* scratch = nullptr;

  template <class V>
  [[nodiscard]] const float* panel(size_t i) const {
    if (int8 == nullptr) return f32 + i * kPanelColumns * k;
    widen_panel<V>(*int8, i, scratch);
    return scratch;
  }
};

// One panel of B, the columns of `tile`, against rows [begin, end) of A. Rows are shared out evenly
// among the tiles.
template <class V>
void multiply_panel(const MatrixView& a, size_t begin, size_t end, const float* panel, size_t k,
                    Tile tile, const void* epilogue, StoreTile store) {
  float sums[kTileRows<V> * kPanelColumns];
  tile.sums = sums;
  size_t n_tiles = (end - begin + kTileRows<V> - 1) / kTileRows<V>;
  for (tile.row = begin; tile.row < end; --n_tiles) {
    tile.rows = (end - tile.row + n_tiles - 1) / n_tiles;
    multiply_rows<V>(tile.rows, a.data + tile.row * a.stride, a.stride, panel, k, sums);
    store(epilogue, tile);
    tile.row += tile.rows;
    tile.to += tile.rows * tile.stride;
  }
}

template <class V, class Panels>
[[gnu::noinline]] void multiply(const MatrixView& a, const Panels& b, float* c, size_t c_stride,
                                const void* epilogue, StoreTile store) {
  const size_t fitting = kRowBlockBytes / (sizeof(float) * std::max<size_t>(b.k, 1));
  const size_t block = std::max<size_t>(fitting, 4 * kTileRows<V>);
  for (size_t begin = 0; begin < a.rows; begin += block) {
    const size_t end = std::min(begin + block, a.rows);
    for (size_t column = 0; column < b.n; column += kPanelColumns) {
      Tile tile{};
      tile.column = column;
      tile.columns = std::min(kPanelColumns, b.n - column);
      tile.to = c + begin * c_stride + column;
      tile.stride = c_stride;
      const float* panel = b.template panel<V>(column / kPanelColumns);
      multiply_panel<V>(a, begin, end, panel, b.k, tile, epilogue, store);
    }
  }
}

// C has a.rows rows of b.n columns and may not overlap A, which has b.k columns. `Panels` is
// PanelView or what has its members, and gives each panel once for every block of rows.
template <class V, class Panels, class Epilogue>
void gemm(const MatrixView& a, const Panels& b, float* c, size_t c_stride,
          const Epilogue& epilogue) {
  multiply<V>(a, b, c, c_stride, &epilogue, store_tile<V, Epilogue>);
}

// The same with a packed weight. `scratch` holds one panel, kPanelColumns * k floats, and is used
// for int8 only.
template <class V, class Epilogue>
void gemm(const MatrixView& a, const PackedMatrix& b, float* c, size_t c_stride,
          std::span<float> scratch, const Epilogue& epilogue) {
  assert(!b.is_int8() || scratch.size() >= kPanelColumns * b.k());
  const PanelView view = b.is_int8() ? PanelView{b.n(), b.k(), nullptr, &b, scratch.data()}
                                     : PanelView{b.n(), b.k(), b.f32_panels()};
  gemm<V>(a, view, c, c_stride, epilogue);
}

}  // namespace ambry::kernels
