// Group-quantized panels (packed_group_weights.h) in 16-bit arithmetic: multiplied by one row of
// int16 codes straight from the packed codes, or unpacked to int16 pairs for several rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/unroll.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"

namespace ambry::kernels {

// The vectors that hold one value for each row of a panel.
template <class V>
inline constexpr size_t kRowVectors = kPanelColumns / V::kLanes;
template <class V>
struct RowSums {
  typename V::I32 vectors[kRowVectors<V>];

  RowSums() {
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) { vectors[v] = V::splat_i32(0); });
  }
  typename V::I32& operator[](size_t v) { return vectors[v]; }
  const typename V::I32& operator[](size_t v) const { return vectors[v]; }
};

// Σ of `n` columns of x times 8-bit codes. Of each eight columns, one 32-bit word has columns 0 and
// 1 in its even bytes and 4 and 5 in its odd ones; the next word has 2 and 3, 6 and 7.
template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_8bit_codes(const int32_t* codes, const int16_t* x,
                                                             size_t n) {
  RowSums<V> sums;
  for (const int16_t* end = x + n; x < end; x += 8, codes += 2 * kPanelColumns) {
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) {
      const auto first = V::load_i32(codes + v * V::kLanes);
      const auto second = V::load_i32(codes + kPanelColumns + v * V::kLanes);
      const auto add = [&](typename V::I32 pairs, size_t i) {
        sums[v] = V::add_i32(sums[v], V::dot_i16x2(pairs, V::splat_i16x2(x + i)));
      };
      add(V::widen_even_i8(first), 0);
      add(V::widen_even_i8(second), 2);
      add(V::widen_odd_i8(first), 4);
      add(V::widen_odd_i8(second), 6);
    });
  }
  return sums;
}

// Sums of products with codes that stay at bit 0, 4 or 8 of their 16 bits, which saves shifting
// every code. The products are 2^4 or 2^8 times too large until their sum is shifted.
template <class V>
struct ShiftedSums {
  RowSums<V> at0;
  RowSums<V> at4;
  RowSums<V> at8;

  // codes[i] is multiplied by x[2i] and x[2i + 1]. The codes start at bits 0, 4, 8 and 0.
  [[gnu::always_inline]] void add(size_t v, const typename V::I32 (&codes)[4], const int16_t* x) {
    const auto product = [&](size_t i) {
      return V::dot_i16x2(codes[i], V::splat_i16x2(x + 2 * i));
    };
    at0[v] = V::add_i32(V::add_i32(at0[v], product(0)), product(3));
    at4[v] = V::add_i32(at4[v], product(1));
    at8[v] = V::add_i32(at8[v], product(2));
  }
  // Corrects for codes that are all too large by 2^excess_bits. `sum_x` may wrap where x is not
  // finite; the scale is NaN then.
  [[nodiscard]] RowSums<V> total(int32_t sum_x, uint32_t excess_bits) const {
    const auto excess = V::shift_left(V::splat_i32(sum_x), excess_bits);
    RowSums<V> sums;
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) {
      const auto sum = V::add_i32(at0[v], V::shift_right(at4[v], 4));
      sums[v] = V::sub_i32(V::add_i32(sum, V::shift_right(at8[v], 8)), excess);
    });
    return sums;
  }
};

// Σ of `n` columns of x times 4-bit codes. `sum_x` is the sum of x.
template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_4bit_codes(const int32_t* codes, const int16_t* x,
                                                             size_t n, int32_t sum_x) {
  ShiftedSums<V> sums;
  for (const int16_t* end = x + n; x < end; x += 8, codes += kPanelColumns) {
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) {
      const auto w = V::load_i32(codes + v * V::kLanes);
      sums.add(v,
               {V::and_i32(w, V::template constant_i32<0x000F000F>()),
                V::and_i32(w, V::template constant_i32<0x00F000F0>()),
                V::and_i32(w, V::template constant_i32<0x0F000F00>()), V::shift_right_u16x2(w, 12)},
               x);
    });
  }
  return sums.total(sum_x, 3);
}

// Σ of `n` columns of x times 5-bit codes. `sum_x` is the sum of x.
template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_5bit_codes(const int32_t* codes, const int16_t* x,
                                                             size_t n, int32_t sum_x) {
  ShiftedSums<V> sums;
  for (const int16_t* end = x + n; x < end; x += 32, codes += 5 * kPanelColumns) {
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) {
      const auto fifth = V::load_i32(codes + 4 * kPanelColumns + v * V::kLanes);
      unroll<4>([&](auto e) {
        const auto w = V::load_i32(codes + e * kPanelColumns + v * V::kLanes);
        const auto left = V::shift_left(fifth, static_cast<uint32_t>(4 - e));
        const auto right = V::shift_right_u16x2(fifth, static_cast<uint32_t>(8 + e));
        const auto both = [](auto low, int32_t low_bits, auto high, int32_t high_bit) {
          return V::or_i32(V::and_i32(low, V::splat_i32(low_bits)),
                           V::and_i32(high, V::splat_i32(high_bit)));
        };
        const auto last = V::and_i32(right, V::template constant_i32<0x00100010>());
        sums.add(
            v,
            {both(w, 0x000F000F, left, 0x00100010), both(w, 0x00F000F0, left, 0x01000100),
             both(w, 0x0F000F00, left, 0x10001000), V::or_i32(V::shift_right_u16x2(w, 12), last)},
            x + 8 * e);
      });
    });
  }
  return sums.total(sum_x, 4);
}

// Unpacks eight columns of 4-bit or 5-bit codes to pairs. `fifth` holds the fifth bits, the first
// of them for column 8e, or is nullptr.
template <class V>
void widen_8_columns(const int32_t* codes, const int32_t* fifth, uint32_t e, int16_t* pairs) {
  const auto excess = V::splat_i32(fifth == nullptr ? 0x00080008 : 0x00100010);
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    const auto w = V::load_i32(codes + c);
    for (uint32_t i = 0; i < 4; ++i) {
      auto code =
          V::and_i32(V::shift_right_u16x2(w, 4 * i), V::template constant_i32<0x000F000F>());
      if (fifth != nullptr) {
        const auto bit = V::shift_right_u16x2(V::load_i32(fifth + c), 4 * i + e);
        code = V::or_i32(code,
                         V::shift_left(V::and_i32(bit, V::template constant_i32<0x00010001>()), 4));
      }
      V::store_i16x2(pairs + 2 * (i * kPanelColumns + c), V::sub_i16x2(code, excess));
    }
  }
}

}  // namespace ambry::kernels
