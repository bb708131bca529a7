// GEMM in f32: C = epilogue(A B). A is row-major, B is packed in panels (packed_f32_matrix.h).
//
// The micro-kernel keeps a tile of kTileRows x 8 sums in registers. Five rows use 10 of the 16
// vector registers for sums, 2 for B, 1 for A and 1 for the product. With a fused multiply-add the
// product needs none, which makes room for a sixth row. Every sum runs over k in order, whatever
// the tile, so a row's result does not depend on the other rows.
//
// f32_gemm() gives the same bits in every engine and build. fused_f32_gemm() takes the engine's
// multiply-add, which may round once, and is faster on most machines. It is for sums that nothing
// rounds to codes afterwards: there a last bit can become a step of the code, and the layers behind
// it make a difference of 1e-3 of that.
//
// All epilogues share one copy of the loops. The loops pass each finished tile to a function of the
// epilogue. One call per tile costs no measurable time; a copy of the loops for each epilogue would
// cost 3 KB of WebAssembly.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/unroll.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"
#include "kernels/gemm/layout/read_ahead.h"
#include "kernels/gemm/tiles/epilogue.h"
#include "kernels/gemm/tiles/gemm_tiles.h"
#include "simd/isa.h"

namespace ambry::kernels {

// A row-major matrix. `stride` counts the floats from one row to the next.
struct MatrixView {
  const float* data;
  size_t rows;
  size_t stride;
};

template <class V>
inline constexpr size_t kTileRows = V::kFusedMadd ? 6 : 5;

// The micro-kernel: tile[r][0..8) = row r of A times the panel. Nearly all the time is spent here.
template <class V, size_t kRows>
void multiply_tile(const float* a, size_t stride, const float* panel, const ReadAhead& ahead,
                   float* tile) {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  typename V::F32 sums[kRows][kVectors];
  unroll<kRows>([&](auto r) {
    unroll<kVectors, kLoopOverVectors<V>>([&](auto v) { sums[r][v] = V::zero(); });
  });
  ahead.for_rows([&](size_t i) {
    typename V::F32 b[kVectors];
    unroll<kVectors, kLoopOverVectors<V>>([&](auto v) { b[v] = V::load(panel + v * V::kLanes); });
    unroll<kRows>([&](auto r) {
      const auto x = V::splat(a[r * stride + i]);
      unroll<kVectors, kLoopOverVectors<V>>(
          [&](auto v) { sums[r][v] = V::madd(x, b[v], sums[r][v]); });
    });
    panel += kPanelColumns;
  });
  unroll<kRows>([&](auto r) {
    unroll<kVectors, kLoopOverVectors<V>>(
        [&](auto v) { V::store(tile + r * kPanelColumns + v * V::kLanes, sums[r][v]); });
  });
}

// B as f32 panels, one after another. B may be a part of the packed rows: then `packed_rows` counts
// all of them, and `f32` points to the first of the part.
struct PanelView {
  size_t n;
  size_t k;
  const float* f32;
  size_t packed_rows = 0;  // 0: k

  template <class V>
  [[nodiscard]] const float* panel(size_t i) const {
    return f32 + i * kPanelColumns * std::max(k, packed_rows);
  }
  [[nodiscard]] StoredPanels stored() const {
    return {f32, kPanelColumns * std::max(k, packed_rows) * sizeof(float), n_panels(n)};
  }
};

// Computes sums[r][0..8) for at most `most` rows from `row` on and returns how many it took. It
// must not be inlined: V8 inlines functions that are called by address, as the storing of tiles is,
// and then runs out of registers in the loops beside that call. int8 products took 1.7 times as
// long in Chromium 156.
template <class V>
[[gnu::noinline]] size_t multiply_rows(const MatrixView& a, size_t row, size_t most,
                                       const float* panel, const ReadAhead& ahead, float* sums) {
  return with_tile_rows<kTileRows<V>>(most, [&](auto rows) {
    multiply_tile<V, rows>(a.data + row * a.stride, a.stride, panel, ahead, sums);
  });
}

// Multiplies one panel of B, the columns of `tile`, by rows [begin, end) of A.
template <class V>
void multiply_panel(const MatrixView& a, size_t begin, size_t end, const float* panel,
                    ReadAhead ahead, Tile tile, const void* epilogue, StoreTile store) {
  float sums[kTileRows<V> * kPanelColumns];
  tile.sums = sums;
  share_rows(begin, end, kTileRows<V>, tile, [&](size_t most) {
    tile.rows = multiply_rows<V>(a, tile.row, most, panel, ahead, sums);
    store(epilogue, tile);
    ahead.next_tile();
  });
}

template <class V, class Panels>
[[gnu::noinline]] void multiply(const MatrixView& a, const Panels& b, float* c, size_t c_stride,
                                const void* epilogue, StoreTile store) {
  const StoredPanels stored = b.stored();
  for_panels(a.rows, sizeof(float) * b.k, 4 * kTileRows<V>, b.n, c, c_stride,
             [&](size_t begin, size_t end, const Tile& tile) {
               const size_t i = tile.column / kPanelColumns;
               const float* panel = b.template panel<V>(i);
               const ReadAhead ahead(stored, i, b.k, end - begin > kTileRows<V>);
               multiply_panel<V>(a, begin, end, panel, ahead, tile, epilogue, store);
             });
}

template <class V>
[[gnu::noinline]] void multiply_fused(const MatrixView& a, const PanelView& b, float* c,
                                      size_t c_stride, const void* epilogue, StoreTile store) {
  multiply<typename V::Fused>(a, b, c, c_stride, epilogue, store);
}

// Compiled for speed in kernels/instantiations.cpp.
extern template void multiply<simd::Best, PanelView>(const MatrixView&, const PanelView&, float*,
                                                     size_t, const void*, StoreTile);
extern template void multiply_fused<simd::Best>(const MatrixView&, const PanelView&, float*, size_t,
                                                const void*, StoreTile);

// C has a.rows rows of b.n columns and must not overlap A, which has b.k columns. `Panels` is
// PanelView or has the same members. Each panel is asked for once per block of rows.
template <class V, class Panels, class Epilogue>
void f32_gemm(const MatrixView& a, const Panels& b, float* c, size_t c_stride,
              const Epilogue& epilogue) {
  multiply<V>(a, b, c, c_stride, &epilogue, store_tile<V, Epilogue>);
}

// C = A B with a packed B.
template <class V, class Epilogue>
void f32_gemm(const MatrixView& a, const PackedF32Matrix& b, float* c, size_t c_stride,
              const Epilogue& epilogue) {
  f32_gemm<V>(a, PanelView{b.n(), b.k(), b.panels()}, c, c_stride, epilogue);
}

// The epilogue does not fuse.
template <class V, class Epilogue>
void fused_f32_gemm(const MatrixView& a, const PanelView& b, float* c, size_t c_stride,
                    const Epilogue& epilogue) {
  multiply_fused<V>(a, b, c, c_stride, &epilogue, store_tile<V, Epilogue>);
}
template <class V, class Epilogue>
void fused_f32_gemm(const MatrixView& a, const PackedF32Matrix& b, float* c, size_t c_stride,
                    const Epilogue& epilogue) {
  fused_f32_gemm<V>(a, PanelView{b.n(), b.k(), b.panels()}, c, c_stride, epilogue);
}

}  // namespace ambry::kernels
