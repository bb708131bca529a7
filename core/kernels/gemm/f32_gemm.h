// C = epilogue(A B), A row-major in f32, B packed in panels (packed_f32_matrix.h).
//
// The inner loop keeps a tile of kTileRows x 8 sums in registers: 5 rows use 10 of 16 vector
// registers for sums, 2 for B, 1 for A and 1 for the product; a fused multiply-add frees one and
// allows 6. Panels are the outer loop, so that a panel stays in L1 while the rows of A pass;
// rows come in blocks that fit L2. Every sum runs over k in order, whatever the tile: a row's
// results do not depend on the rows around it.
//
// All epilogues share one copy of the loops, which hand every finished tile to a function of the
// epilogue: a call for each tile costs nothing, a copy for each epilogue 3 KB of WebAssembly.
#pragma once

#include <cstddef>

#include "kernels/gemm/epilogue.h"
#include "kernels/gemm/gemm_tiles.h"
#include "kernels/gemm/packed_f32_matrix.h"
#include "kernels/unroll.h"
#include "simd/isa.h"

namespace ambry::kernels {

// A row-major matrix seen through a stride (floats from one row to the next).
struct MatrixView {
  const float* data;
  size_t rows;
  size_t stride;
};

template <class V>
inline constexpr size_t kTileRows = V::kFusedMadd ? 6 : 5;

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

// f32 panels one after another: B as the loops want it.
struct PanelView {
  size_t n;
  size_t k;
  const float* f32;

  template <class V>
  [[nodiscard]] const float* panel(size_t i) const {
    return f32 + i * kPanelColumns * k;
  }
};

// sums[r][0..8) for at most `most` rows from `row` on; how many it took. A function of its own, for
// V8 inlines what a function calls by address, as tiles are stored, and then runs out of registers
// in the loops beside that call: products of bytes took 1.7 times as long in Chromium 156.
template <class V>
[[gnu::noinline]] size_t multiply_rows(const MatrixView& a, size_t row, size_t most,
                                       const float* panel, size_t k, float* sums) {
  return with_tile_rows<kTileRows<V>>(most, [&](auto rows) {
    multiply_tile<V, rows>(a.data + row * a.stride, a.stride, panel, k, sums);
  });
}

// Brings a panel near that several tiles will read: one line after another it arrives several times
// as fast as where a tile waits for each (8 tokens through an encoder take 13 % less). A single row
// would read it a second time.
inline void touch(const float* panel, size_t n) {
  constexpr size_t kLine = 64 / sizeof(float);
  const volatile float* at = panel;
  for (size_t i = 0; i < n; i += kLine) static_cast<void>(at[i]);
}

// One panel of B, the columns of `tile`, against rows [begin, end) of A.
template <class V>
void multiply_panel(const MatrixView& a, size_t begin, size_t end, const float* panel, size_t k,
                    Tile tile, const void* epilogue, StoreTile store) {
  float sums[kTileRows<V> * kPanelColumns];
  tile.sums = sums;
  if (end - begin > kTileRows<V>) touch(panel, k * kPanelColumns);
  share_rows(begin, end, kTileRows<V>, tile, [&](size_t most) {
    tile.rows = multiply_rows<V>(a, tile.row, most, panel, k, sums);
    store(epilogue, tile);
  });
}

template <class V, class Panels>
[[gnu::noinline]] void multiply(const MatrixView& a, const Panels& b, float* c, size_t c_stride,
                                const void* epilogue, StoreTile store) {
  for_panels(a.rows, sizeof(float) * b.k, 4 * kTileRows<V>, b.n, c, c_stride,
             [&](size_t begin, size_t end, const Tile& tile) {
               const float* panel = b.template panel<V>(tile.column / kPanelColumns);
               multiply_panel<V>(a, begin, end, panel, b.k, tile, epilogue, store);
             });
}

// Compiled for speed (kernels/instantiations.cpp) wherever they are called.
extern template void multiply<simd::Best, PanelView>(const MatrixView&, const PanelView&, float*,
                                                     size_t, const void*, StoreTile);

// C has a.rows rows of b.n columns and may not overlap A, which has b.k columns. `Panels` is
// PanelView or what has its members, and gives each panel once for every block of rows.
template <class V, class Panels, class Epilogue>
void gemm(const MatrixView& a, const Panels& b, float* c, size_t c_stride,
          const Epilogue& epilogue) {
  multiply<V>(a, b, c, c_stride, &epilogue, store_tile<V, Epilogue>);
}

// The same with a packed matrix.
template <class V, class Epilogue>
void gemm(const MatrixView& a, const PackedF32Matrix& b, float* c, size_t c_stride,
          const Epilogue& epilogue) {
  gemm<V>(a, PanelView{b.n(), b.k(), b.panels()}, c, c_stride, epilogue);
}

}  // namespace ambry::kernels
