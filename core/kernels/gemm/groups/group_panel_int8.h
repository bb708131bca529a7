// Group-quantized panels (packed_group_weights.h) multiplied four bytes at a time, where
// V::kFastInt8Dot. The panel's bytes are the unsigned factor, because 4-bit and 5-bit codes fit it
// on every machine; x is the signed factor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "kernels/gemm/groups/group_panel_int16.h"
#include "kernels/gemm/groups/group_tile_int16.h"
#include "kernels/gemm/groups/relaxed_dot_probe.h"
#include "kernels/gemm/layout/integer_microkernel.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"
#include "kernels/quantize/quantize_rows.h"

namespace ambry::kernels {

// How packed codes become bytes for a product: the bits of `flip` are flipped, after which the
// bytes are too large by `offset`.
struct ByteConversion {
  int32_t flip;
  int32_t offset;
};

// Nothing where this machine's products of 8-bit codes are not exact.
template <class V>
[[nodiscard]] std::optional<ByteConversion> byte_conversion(uint32_t bits) {
  if (bits < 8) return ByteConversion{0, 1 << (bits - 1)};
  switch (probe_relaxed_dot<V>()) {
    case RelaxedDotOperand::Unsigned:
      return ByteConversion{static_cast<int32_t>(0x80808080U), 128};
    case RelaxedDotOperand::Signed:
      return ByteConversion{0, 0};
    default:
      return std::nullopt;
  }
}

// Rows of x as bytes in a panel's order: columns 0, 4, 1, 5, 2, 6, 3, 7 of each eight. For each
// group a scale and the value with which its sum of products starts, which makes up for the offset.
// 14-bit codes take two bytes, code = 128 * high + low: eight low bytes, then their eight high
// bytes.
struct Int8Rows {
  int8_t* codes;
  float* scales;
  int32_t* initial_sums;
};

// Stores the lowest bytes of eight values in a panel's order.
template <class V>
void put_low_bytes(typename V::I32 first, typename V::I32 second, int8_t* to) {
  const auto low = V::and_i32(first, V::splat_i32(0xFF));
  V::store_i16(reinterpret_cast<int16_t*>(to),
               V::sign_extend_i16(V::or_i32(low, V::shift_left(second, 8))));
}

// Converts `n_codes` codes, a multiple of 8, and the sums of `n_groups` groups, in place.
template <class V>
Int8Rows narrow_to_int8(const QuantizedRows& rows, size_t n_codes, size_t n_groups, int32_t offset,
                        bool int14) {
  static_assert(V::kLanes == 4);
  const Int8Rows to{reinterpret_cast<int8_t*>(rows.codes), rows.scales, rows.sums};
  for (size_t i = 0; i < n_codes; i += 8) {
    const auto first = V::load_i16(rows.codes + i);
    const auto second = V::load_i16(rows.codes + i + 4);
    if (!int14) {
      put_low_bytes<V>(first, second, to.codes + i);
      continue;
    }
    const auto high_of = [](typename V::I32 code) {
      return V::shift_right(V::add_i32(code, V::splat_i32(64)), 7);
    };
    const auto low_of = [&](typename V::I32 code) {
      return V::sub_i32(code, V::shift_left(high_of(code), 7));
    };
    put_low_bytes<V>(low_of(first), low_of(second), to.codes + 2 * i);
    put_low_bytes<V>(high_of(first), high_of(second), to.codes + 2 * i + 8);
  }
  // Sums wrap where x is not finite; the scale is NaN then.
  for (size_t i = 0; i < n_groups; ++i) {
    const auto sum = static_cast<uint32_t>(rows.sums[i]);
    to.initial_sums[i] = static_cast<int32_t>(0U - static_cast<uint32_t>(offset) * sum);
  }
  return to;
}

// Calls use(v, i, half, bytes) over `n` columns of kBits codes: vector v of four bytes for each
// row. The bytes are the first four of the eight columns from i on, in the order of x, or the
// second four where half is 4.
template <class V, uint32_t kBits, class Use>
[[gnu::always_inline]] inline void for_each_byte_quad(const int32_t* codes, size_t n, int32_t flip,
                                                      const Use& use) {
  constexpr auto kFirst = std::integral_constant<size_t, 0>();
  constexpr auto kSecond = std::integral_constant<size_t, 4>();
  const auto at = [](const int32_t* from, auto v) { return V::load_i32(from + v * V::kLanes); };
  if constexpr (kBits == 8) {
    const auto flipped = V::splat_i32(flip);
    for (size_t i = 0; i < n; i += 8, codes += 2 * kPanelColumns) {
      unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) {
        use(v, i, kFirst, V::xor_i32(at(codes, v), flipped));
        use(v, i, kSecond, V::xor_i32(at(codes + kPanelColumns, v), flipped));
      });
    }
    return;
  }
  const auto mask = V::template constant_i32<0x0F0F0F0F>();
  const auto bit = V::template constant_i32<0x10101010>();
  RowSums<V> fifth;  // shifted so that the next columns' bits are lowest
  for (size_t i = 0; i < n; i += 8, codes += kPanelColumns) {
    if (kBits == 5 && i % 32 == 0) {
      codes += i == 0 ? 0 : kPanelColumns;
      unroll<kRowVectors<V>, kLoopOverVectors<V>>(
          [&](auto v) { fifth[v] = at(codes + 4 * kPanelColumns, v); });
    }
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) {
      const auto w = at(codes, v);
      auto first = V::and_i32(w, mask);
      auto second = V::and_i32(V::shift_right_u16x2(w, 4), mask);
      if constexpr (kBits == 5) {
        first = V::or_i32(first, V::and_i32(V::shift_left(fifth[v], 4), bit));
        second = V::or_i32(second, V::and_i32(fifth[v], bit));
        fifth[v] = V::shift_right_u16x2(fifth[v], 1);
      }
      use(v, i, kFirst, first);
      use(v, i, kSecond, second);
    });
  }
}

// Σ of `n` columns of x times kBits codes, starting from `start`.
template <class V, uint32_t kBits, bool kInt14>
[[gnu::always_inline]] inline RowSums<V> multiply_int8_codes(const int32_t* codes, const int8_t* x,
                                                             size_t n, int32_t start,
                                                             int32_t flip) {
  RowSums<V> sums;
  RowSums<V> high;
  unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) { sums[v] = V::splat_i32(start); });
  for_each_byte_quad<V, kBits>(
      codes, n, flip, [&](auto v, size_t i, auto half, typename V::I32 weights) {
        const int8_t* from = x + (kInt14 ? 2 * i : i) + half;
        sums[v] = V::add_dot_i8x4(V::splat_i8x4(from), weights, sums[v]);
        if constexpr (kInt14) high[v] = V::add_dot_i8x4(V::splat_i8x4(from + 8), weights, high[v]);
      });
  if constexpr (kInt14) {
    unroll<kRowVectors<V>, kLoopOverVectors<V>>(
        [&](auto v) { sums[v] = V::add_i32(V::shift_left(high[v], 7), sums[v]); });
  }
  return sums;
}

// One panel, unpacked once for several rows of x.
struct UnpackedPanel {
  const uint8_t* bytes;
  const float* scales;
};

inline constexpr size_t kInt8TileRows = 6;  // 12 of 16 registers for sums

// Computes sums[r][0..8) for six rows from `row` on. Groups of `size` columns are added in order.
// It must not be inlined, for the reason given at multiply_rows() in f32_gemm.h.
template <class V>
[[gnu::noinline]] void multiply_int8_tile(const Int8Rows& x, size_t row, size_t n_groups,
                                          size_t size, const UnpackedPanel& panel, float* sums) {
  std::fill_n(sums, kInt8TileRows * kPanelColumns, 0.0F);
  const size_t stride = n_groups * size;
  for (size_t g = 0; g < n_groups; ++g) {
    const size_t first = row * n_groups + g;
    const float* weight_scales = panel.scales + g * kPanelColumns;
    sum_products<V, Int8ByUint8, kInt8TileRows>(
        x.codes + row * stride + g * size, stride, panel.bytes + g * size * kPanelColumns, size / 4,
        [&](auto r, auto v, typename V::I32 products) {
          float* to = sums + r * kPanelColumns + v * V::kLanes;
          const size_t of_row = first + r * n_groups;
          const auto total = V::add_i32(products, V::splat_i32(x.initial_sums[of_row]));
          const auto scales = V::load(weight_scales + v * V::kLanes);
          V::store(to, add_scaled<V>(V::load(to), total, scales, x.scales[of_row]));
        });
  }
}

}  // namespace ambry::kernels
