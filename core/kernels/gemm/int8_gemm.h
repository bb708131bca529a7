// C = epilogue(A B) of whole numbers, A in codes (coded rows, int8_activations.h and
// int16_activations.h), B an int8 weight (packed_int8_weights.h). The sums are exact; a row's
// results do not depend on the rows around it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/packed_int8_weights.h"
#include "kernels/quantize/int16_activations.h"
#include "kernels/quantize/int8_activations.h"
#include "simd/isa.h"

namespace ambry::kernels {

// What rows become for an instruction set.
template <class V>
using CodedRows = std::conditional_t<V::kFastQuads, WindowRows, PairRows>;

// Floats of memory for either.
[[nodiscard]] constexpr uint64_t coded_floats(uint64_t rows, size_t k) {
  return std::max(WindowRows::floats(rows, k), PairRows::floats(rows, k));
}

// A panel as the products want it, and what its outputs need.
template <class V>
struct BytePanel {
  const typename CodedRows<V>::Form::Column* weights;
  ByteColumns columns;
};

// sums[r][0..8) for at most `most` rows from `row` on; how many it took. A function of its own, for
// the reason that multiply_rows() has (f32_gemm.h).
template <class V>
[[gnu::noinline]] size_t multiply_coded_rows(const CodedRows<V>& a, size_t row, size_t most,
                                             const BytePanel<V>& panel, float* sums) {
  using Form = typename CodedRows<V>::Form;
  constexpr size_t kRows = CodedRows<V>::kTileRows;
  constexpr size_t kLaneBytes = Form::kNumbers * sizeof(typename Form::Row);
  const size_t n_lanes = a.row_bytes() / kLaneBytes;
  const size_t stride = n_lanes * Form::kNumbers;
  int32_t products[kRows * kPanelColumns];
  const size_t taken = with_tile_rows<kRows>(most, [&](auto rows) {
    multiply_integers<V, Form, rows>(a.codes(row), stride, panel.weights, n_lanes, products);
  });
  a.template finish<V>(row, taken, panel.weights, panel.columns, products, sums);
  return taken;
}

template <class V>
void multiply_byte_panel(const CodedRows<V>& a, size_t begin, size_t end, const ByteMatrix& b,
                         Tile tile, const void* epilogue, StoreTile store) {
  float sums[CodedRows<V>::kTileRows * kPanelColumns];
  tile.sums = sums;
  const size_t i = tile.column / kPanelColumns;
  const BytePanel<V> panel{a.template ready<V>(b.panel(i)), b.columns(i)};
  share_rows(begin, end, CodedRows<V>::kTileRows, tile, [&](size_t most) {
    tile.rows = multiply_coded_rows<V>(a, tile.row, most, panel, sums);
    store(epilogue, tile);
  });
}

template <class V>
[[gnu::noinline]] void multiply_bytes(const CodedRows<V>& a, const ByteMatrix& b, float* c,
                                      size_t c_stride, const void* epilogue, StoreTile store) {
  for_panels(a.rows(), a.row_bytes(), 4 * CodedRows<V>::kTileRows, b.n(), c, c_stride,
             [&](size_t begin, size_t end, const Tile& tile) {
               multiply_byte_panel<V>(a, begin, end, b, tile, epilogue, store);
             });
}

// Compiled for speed (kernels/instantiations.cpp) wherever they are called.
extern template void multiply_bytes<simd::Best>(const CodedRows<simd::Best>&, const ByteMatrix&,
                                                float*, size_t, const void*, StoreTile);
extern template void WindowRows::encode<simd::Best>(const float*, int32_t);

// C has a.rows() rows of b.n() columns; a row of A holds codes of b.k() numbers.
template <class V, class Epilogue>
void gemm(const CodedRows<V>& a, const ByteMatrix& b, float* c, size_t c_stride,
          const Epilogue& epilogue) {
  multiply_bytes<V>(a, b, c, c_stride, &epilogue, store_tile<V, Epilogue>);
}

}  // namespace ambry::kernels
