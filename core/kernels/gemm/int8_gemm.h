// The int8 GEMM: C = epilogue(A B). A is quantized activations (int8_activations.h or
// int16_activations.h), B is packed int8 weights (packed_int8_weights.h). The integer sums are
// exact, and a row's result does not depend on the other rows. Both kinds of activations give the
// same bits on every machine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/gemm/layout/packed_int8_weights.h"
#include "kernels/gemm/layout/read_ahead.h"
#include "kernels/gemm/tiles/epilogue.h"
#include "kernels/gemm/tiles/gemm_tiles.h"
#include "kernels/quantize/int16_activations.h"
#include "kernels/quantize/int8_activations.h"
#include "simd/isa.h"

namespace ambry::kernels {

// How activations are stored for an instruction set: in bytes where 4-byte dot products are fast,
// otherwise in 16 bits.
template <class V>
using QuantizedActivations = std::conditional_t<V::kFastInt8Dot, Int8Activations, Int16Activations>;

// Floats of memory that suffice for either.
[[nodiscard]] constexpr uint64_t quantized_activation_floats(uint64_t rows, size_t k) {
  return std::max(Int8Activations::floats(rows, k), Int16Activations::floats(rows, k));
}

// A panel in the form that the products read, and the quantization of its outputs.
template <class V>
struct Int8Panel {
  const typename QuantizedActivations<V>::Operands::Column* weights;
  PanelQuantization quantization;
};

// Computes sums[r][0..8) for at most `most` rows from `row` on and returns how many it took. It
// must not be inlined, for the reason given at multiply_rows() in f32_gemm.h.
template <class V>
[[gnu::noinline]] size_t multiply_quantized_rows(const QuantizedActivations<V>& a, size_t row,
                                                 size_t most, const Int8Panel<V>& panel,
                                                 const ReadAhead& ahead, float* sums) {
  using Operands = typename QuantizedActivations<V>::Operands;
  constexpr size_t kRows = QuantizedActivations<V>::kTileRows;
  constexpr size_t kLaneBytes = Operands::kPerLane * sizeof(typename Operands::Row);
  const size_t stride = a.row_bytes() / kLaneBytes * Operands::kPerLane;
  const auto for_lanes = [&ahead](const auto& multiply) __attribute__((always_inline)) {
    ahead.template for_rows<sizeof(typename Operands::Row)>(multiply);
  };
  int32_t products[kRows * kPanelColumns];
  const size_t taken = with_tile_rows<kRows>(most, [&](auto rows) {
    sum_lanes<V, Operands, rows>(a.codes(row), stride, panel.weights, for_lanes,
                                 [&](auto r, auto v, auto sum) {
                                   V::store_i32(products + r * kPanelColumns + v * V::kLanes, sum);
                                 });
  });
  a.template dequantize<V>(row, taken, panel.weights, panel.quantization, products, sums);
  return taken;
}

template <class V>
void multiply_int8_panel(const QuantizedActivations<V>& a, size_t begin, size_t end,
                         const PackedInt8Weights& b, Tile tile, const void* epilogue,
                         StoreTile store) {
  float sums[QuantizedActivations<V>::kTileRows * kPanelColumns];
  tile.sums = sums;
  const size_t i = tile.column / kPanelColumns;
  constexpr size_t kRows = QuantizedActivations<V>::kTileRows;
  ReadAhead ahead(b.stored(), i, padded_k(b.k()) / sizeof(float), end - begin > kRows);
  const Int8Panel<V> panel{a.template prepare_panel<V>(b.panel(i)), b.quantization(i)};
  share_rows(begin, end, kRows, tile, [&](size_t most) {
    tile.rows = multiply_quantized_rows<V>(a, tile.row, most, panel, ahead, sums);
    store(epilogue, tile);
    ahead.next_tile();
  });
}

template <class V>
[[gnu::noinline]] void multiply_int8(const QuantizedActivations<V>& a, const PackedInt8Weights& b,
                                     float* c, size_t c_stride, const void* epilogue,
                                     StoreTile store) {
  for_panels(a.rows(), a.row_bytes(), 4 * QuantizedActivations<V>::kTileRows, b.n(), c, c_stride,
             [&](size_t begin, size_t end, const Tile& tile) {
               multiply_int8_panel<V>(a, begin, end, b, tile, epilogue, store);
             });
}

// Compiled for speed in kernels/instantiations.cpp.
extern template void multiply_int8<simd::Best>(const QuantizedActivations<simd::Best>&,
                                               const PackedInt8Weights&, float*, size_t,
                                               const void*, StoreTile);
extern template void QuantizedActivations<simd::Best>::quantize<simd::Best>(const float*);

// C has a.rows() rows of b.n() columns. A row of A has b.k() values.
template <class V, class Epilogue>
void int8_gemm(const QuantizedActivations<V>& a, const PackedInt8Weights& b, float* c,
               size_t c_stride, const Epilogue& epilogue) {
  multiply_int8<V>(a, b, c, c_stride, &epilogue, store_tile<V, Epilogue>);
}

}  // namespace ambry::kernels
