// C = epilogue(A B) of whole numbers, A in codes (row_codes.h), B an int8 weight (byte_matrix.h):
//   Σ x w = row scale · column scale · (Σ code q - zero point · Σ code) + offset · Σ w
// The sums are exact; a row's results do not depend on the rows around it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/byte_matrix.h"
#include "kernels/gemm.h"
#include "kernels/row_codes.h"
#include "kernels/unroll.h"
#include "simd/isa.h"

namespace ambry::kernels {

// 6 rows take 12 of 16 registers for sums; where bytes have to be widened, 4 leave room for that.
template <class V>
inline constexpr size_t kByteTileRows = V::kFastQuads ? 6 : 4;

// tile[r][0..8) = Σ of the codes of row r times the panel. The only loop that matters for speed:
// one lane a turn, since with two of them the compiler keeps both at hand and has no register left.
template <class V, size_t kRows>
void multiply_byte_tile(const RowCode<V>* a, size_t stride, const int8_t* panel, int32_t* tile) {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  constexpr size_t kLane = 4 * kPanelColumns;
  typename V::I32 sums[kRows][kVectors];
  unroll<kRows>([&](auto r) { unroll<kVectors>([&](auto v) { sums[r][v] = V::splat_i32(0); }); });
  const auto add_dots = [&](const RowCode<V>* from, const auto& splat, const auto& b,
                            const auto& add_dot) __attribute__((always_inline)) {
    unroll<kRows>([&](auto r) {
      const auto x = splat(from + r * stride);
      unroll<kVectors>([&](auto v) { sums[r][v] = add_dot(b[v], x, sums[r][v]); });
    });
  };
  // Of 16-bit rows, a block's first lane meets numbers 0 and 1, 4 and 5, its second 2 and 3, 6
  // and 7.
  size_t step = V::kFastQuads ? 4 : 2;
  const int8_t* end = panel + stride / 4 * kLane;
  for (; panel < end; panel += kLane) {
    typename V::I32 b[kVectors];
    unroll<kVectors>([&](auto v) { b[v] = V::load_quads(panel + 4 * v * V::kLanes); });
    if constexpr (V::kFastQuads) {
      add_dots(
          a, [](auto* at) { return V::splat_quad(at); }, b,
          [](auto w, auto x, auto sum) { return V::add_dot_quads(w, x, sum); });
      a += step;
    } else {
      typename V::I32 odd[kVectors];
      unroll<kVectors>([&](auto v) {
        odd[v] = V::high_bytes(b[v]);
        b[v] = V::low_bytes(b[v]);
      });
      const auto splat = [](auto* at) { return V::splat_pair(at); };
      const auto add_dot = [](auto w, auto x, auto sum) {
        return V::add_i32(sum, V::dot_pairs(w, x));
      };
      add_dots(a, splat, b, add_dot);
      add_dots(a + 4, splat, odd, add_dot);
      a += step;
      step = kByteBlock - step;
    }
  }
  unroll<kRows>([&](auto r) {
    unroll<kVectors>(
        [&](auto v) { V::store_ints(tile + r * kPanelColumns + v * V::kLanes, sums[r][v]); });
  });
}

// The products of a tile in floats.
template <class V>
void finish_bytes(const int32_t* products, const RowUnit* units, size_t rows,
                  const ByteColumns& columns, float* sums) {
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
      const size_t at = r * kPanelColumns + c;
      const auto zero = V::mul(V::load(columns.zero_points + c), V::splat(units[r].sum));
      const auto product = V::sub(V::to_f32(V::load_ints(products + at)), zero);
      const auto scale = V::mul(V::load(columns.scales + c), V::splat(units[r].scale));
      const auto offset = V::mul(V::load(columns.sums + c), V::splat(units[r].offset));
      V::store(sums + at, V::madd(product, scale, offset));
    }
  }
}

template <class V>
void multiply_byte_panel(const CodedRows<V>& a, size_t begin, size_t end, const ByteMatrix& b,
                         Tile tile, const void* epilogue, StoreTile store) {
  int32_t products[kByteTileRows<V> * kPanelColumns];
  float sums[kByteTileRows<V> * kPanelColumns];
  const size_t panel = tile.column / kPanelColumns;
  tile.sums = sums;
  share_rows(begin, end, kByteTileRows<V>, tile, [&](size_t most) {
    const RowCode<V>* from = a.codes + tile.row * a.stride;
    tile.rows = with_tile_rows<kByteTileRows<V>>(most, [&](auto rows) {
      multiply_byte_tile<V, rows>(from, a.stride, b.panel(panel), products);
    });
    finish_bytes<V>(products, a.units + tile.row, tile.rows, b.columns(panel), sums);
    store(epilogue, tile);
  });
}

template <class V>
[[gnu::noinline]] void multiply_bytes(const CodedRows<V>& a, const ByteMatrix& b, float* c,
                                      size_t c_stride, const void* epilogue, StoreTile store) {
  const size_t row_bytes = a.stride * sizeof(RowCode<V>);
  for_panels(a.rows, row_bytes, 4 * kByteTileRows<V>, b.n(), c, c_stride,
             [&](size_t begin, size_t end, const Tile& tile) {
               multiply_byte_panel<V>(a, begin, end, b, tile, epilogue, store);
             });
}

extern template void multiply_bytes<simd::Best>(const CodedRows<simd::Best>&, const ByteMatrix&,
                                                float*, size_t, const void*, StoreTile);

// C has a.rows rows of b.n() columns; a row of A holds codes of b.k() numbers.
template <class V, class Epilogue>
void gemm(const CodedRows<V>& a, const ByteMatrix& b, float* c, size_t c_stride,
          const Epilogue& epilogue) {
  multiply_bytes<V>(a, b, c, c_stride, &epilogue, store_tile<V, Epilogue>);
}

}  // namespace ambry::kernels
