// C = epilogue(A B) of whole numbers, A in codes (row_codes.h), B an int8 weight (byte_matrix.h):
//   Σ x w = row scale · column scale · (Σ code q - zero point · Σ code)
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

// 8 vectors of sums, 2 of the panel and 1 of a row leave room for widening bytes.
inline constexpr size_t kByteTileRows = 4;

// tile[r][0..8) = Σ of the codes of row r times the panel. The only loop that matters for speed:
// one lane a turn, since with two of them the compiler keeps both at hand and has no register left.
template <class V, size_t kRows>
void multiply_byte_tile(const int16_t* a, size_t stride, const int8_t* panel, int32_t* tile) {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  constexpr size_t kLane = 4 * kPanelColumns;
  typename V::I32 sums[kRows][kVectors];
  unroll<kRows>([&](auto r) { unroll<kVectors>([&](auto v) { sums[r][v] = V::splat_i32(0); }); });
  const auto add_dots = [&](const int16_t* from, const auto& b) __attribute__((always_inline)) {
    unroll<kRows>([&](auto r) {
      const auto x = V::splat_pair(from + r * stride);
      unroll<kVectors>([&](auto v) { sums[r][v] = V::add_i32(sums[r][v], V::dot_pairs(b[v], x)); });
    });
  };
  // A block's first lane meets numbers 0 and 1, 4 and 5, its second 2 and 3, 6 and 7.
  size_t step = 2;
  for (const int8_t* end = panel + stride / 4 * kLane; panel < end; panel += kLane) {
    typename V::I32 even[kVectors];
    typename V::I32 odd[kVectors];
    unroll<kVectors>([&](auto v) {
      const auto lane = V::load_quads(panel + 4 * v * V::kLanes);
      even[v] = V::low_bytes(lane);
      odd[v] = V::high_bytes(lane);
    });
    add_dots(a, even);
    add_dots(a + 4, odd);
    a += step;
    step = kByteBlock - step;
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
      V::store(sums + at, V::mul(product, scale));
    }
  }
}

template <class V>
void multiply_byte_panel(const CodedRows& a, size_t begin, size_t end, const ByteMatrix& b,
                         Tile tile, const void* epilogue, StoreTile store) {
  int32_t products[kByteTileRows * kPanelColumns];
  float sums[kByteTileRows * kPanelColumns];
  const size_t panel = tile.column / kPanelColumns;
  tile.sums = sums;
  share_rows(begin, end, kByteTileRows, tile, [&](size_t most) {
    const int16_t* from = a.codes + tile.row * a.stride;
    tile.rows = with_tile_rows<kByteTileRows>(most, [&](auto rows) {
      multiply_byte_tile<V, rows>(from, a.stride, b.panel(panel), products);
    });
    finish_bytes<V>(products, a.units + tile.row, tile.rows, b.columns(panel), sums);
    store(epilogue, tile);
  });
}

template <class V>
[[gnu::noinline]] void multiply_bytes(const CodedRows& a, const ByteMatrix& b, float* c,
                                      size_t c_stride, const void* epilogue, StoreTile store) {
  const size_t row_bytes = a.stride * sizeof(int16_t);
  for_panels(a.rows, row_bytes, 4 * kByteTileRows, b.n(), c, c_stride,
             [&](size_t begin, size_t end, const Tile& tile) {
               multiply_byte_panel<V>(a, begin, end, b, tile, epilogue, store);
             });
}

extern template void multiply_bytes<simd::Best>(const CodedRows&, const ByteMatrix&, float*, size_t,
                                                const void*, StoreTile);

// C has a.rows rows of b.n() columns; a row of A holds codes of b.k() numbers.
template <class V, class Epilogue>
void gemm(const CodedRows& a, const ByteMatrix& b, float* c, size_t c_stride,
          const Epilogue& epilogue) {
  multiply_bytes<V>(a, b, c, c_stride, &epilogue, store_tile<V, Epilogue>);
}

}  // namespace ambry::kernels
