// One row of whole numbers times the eight rows of a panel of codes (integer_panels.h), straight
// from the codes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/packed_matrix.h"
#include "kernels/unroll.h"

namespace ambry::kernels {

// The vectors that hold a number for each row of a panel.
template <class V>
inline constexpr size_t kRowVectors = kPanelColumns / V::kLanes;
template <class V>
struct RowSums {
  typename V::I32 vectors[kRowVectors<V>];

  RowSums() {
    unroll<kRowVectors<V>>([&](auto v) { vectors[v] = V::splat_i32(0); });
  }
  typename V::I32& operator[](size_t v) { return vectors[v]; }
  const typename V::I32& operator[](size_t v) const { return vectors[v]; }
};

// Σ of `n` columns of x times codes of 8 bits.
template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_eights(const int8_t* codes, const int16_t* x,
                                                         size_t n) {
  RowSums<V> sums;
  for (const int16_t* end = x + n; x < end; x += 2, codes += 2 * kPanelColumns) {
    const auto pair = V::splat_pair(x);
    unroll<kRowVectors<V>>([&](auto v) {
      const auto weights = V::load_byte_pairs(codes + 2 * v * V::kLanes);
      sums[v] = V::add_i32(sums[v], V::dot_pairs(weights, pair));
    });
  }
  return sums;
}

// Sums of products with codes that lie at three places of their 16 bits, which need no shift: the
// products are 2^4 or 2^8 times too large until their sum is known.
template <class V>
struct PlacedSums {
  RowSums<V> at0;
  RowSums<V> at4;
  RowSums<V> at8;

  // codes[i] meets x[2i] and x[2i + 1]; they lie at bits 0, 4, 8 and 0.
  [[gnu::always_inline]] void add(size_t v, const typename V::I32 (&codes)[4], const int16_t* x) {
    const auto product = [&](size_t i) { return V::dot_pairs(codes[i], V::splat_pair(x + 2 * i)); };
    at0[v] = V::add_i32(V::add_i32(at0[v], product(0)), product(3));
    at4[v] = V::add_i32(at4[v], product(1));
    at8[v] = V::add_i32(at8[v], product(2));
  }
  // All codes were too large by 2^excess_bits. `sum_x` wraps around where x is not finite, and the
  // scale is NaN.
  [[nodiscard]] RowSums<V> total(int32_t sum_x, uint32_t excess_bits) const {
    const auto excess = V::shift_left(V::splat_i32(sum_x), excess_bits);
    RowSums<V> sums;
    unroll<kRowVectors<V>>([&](auto v) {
      const auto sum = V::add_i32(at0[v], V::shift_right(at4[v], 4));
      sums[v] = V::sub_i32(V::add_i32(sum, V::shift_right(at8[v], 8)), excess);
    });
    return sums;
  }
};

// Σ of `n` columns of x times codes of 4 bits; `sum_x` is the sum of x.
template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_fours_by_pairs(const int32_t* codes,
                                                                 const int16_t* x, size_t n,
                                                                 int32_t sum_x) {
  PlacedSums<V> sums;
  for (const int16_t* end = x + n; x < end; x += 8, codes += kPanelColumns) {
    unroll<kRowVectors<V>>([&](auto v) {
      const auto w = V::load_ints(codes + v * V::kLanes);
      sums.add(v,
               {V::and_i32(w, V::template constant_i32<0x000F000F>()),
                V::and_i32(w, V::template constant_i32<0x00F000F0>()),
                V::and_i32(w, V::template constant_i32<0x0F000F00>()), V::shift_pairs_right(w, 12)},
               x);
    });
  }
  return sums.total(sum_x, 3);
}

// The same for codes of 5 bits.
template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_fives_by_pairs(const int32_t* codes,
                                                                 const int16_t* x, size_t n,
                                                                 int32_t sum_x) {
  PlacedSums<V> sums;
  for (const int16_t* end = x + n; x < end; x += 32, codes += 5 * kPanelColumns) {
    unroll<kRowVectors<V>>([&](auto v) {
      const auto fifth = V::load_ints(codes + 4 * kPanelColumns + v * V::kLanes);
      unroll<4>([&](auto e) {
        const auto w = V::load_ints(codes + e * kPanelColumns + v * V::kLanes);
        const auto left = V::shift_left(fifth, static_cast<uint32_t>(4 - e));
        const auto right = V::shift_pairs_right(fifth, static_cast<uint32_t>(8 + e));
        const auto both = [](auto low, int32_t low_bits, auto high, int32_t high_bit) {
          return V::or_i32(V::and_i32(low, V::splat_i32(low_bits)),
                           V::and_i32(high, V::splat_i32(high_bit)));
        };
        const auto last = V::and_i32(right, V::template constant_i32<0x00100010>());
        sums.add(
            v,
            {both(w, 0x000F000F, left, 0x00100010), both(w, 0x00F000F0, left, 0x01000100),
             both(w, 0x0F000F00, left, 0x10001000), V::or_i32(V::shift_pairs_right(w, 12), last)},
            x + 8 * e);
      });
    });
  }
  return sums.total(sum_x, 4);
}

// Codes of 14 bits and a sign as two bytes of 7 bits and a sign, code = 128 * high + low, in the
// order in which codes of 4 bits lie in the bytes of a panel: columns 0, 4, 1, 5, 2, 6, 3, 7.
struct BytePlanes {
  int8_t* low;
  int8_t* high;
};

// `n` is a multiple of 8.
template <class V>
void split_codes(const int16_t* codes, size_t n, const BytePlanes& to) {
  const auto put = [](int8_t* bytes, typename V::I32 first, typename V::I32 second) {
    const auto byte = V::and_i32(first, V::splat_i32(0xFF));
    V::store_halves(reinterpret_cast<int16_t*>(bytes), V::or_i32(byte, V::shift_left(second, 8)));
  };
  for (size_t i = 0; i < n; i += 8) {
    for (size_t j = 0; j < 4; j += V::kLanes) {
      const auto first = V::load_halves(codes + i + j);
      const auto second = V::load_halves(codes + i + 4 + j);
      const auto high_of = [](typename V::I32 code) {
        return V::shift_right(V::add_i32(code, V::splat_i32(64)), 7);
      };
      const auto low_of = [&](typename V::I32 code) {
        return V::sub_i32(code, V::shift_left(high_of(code), 7));
      };
      put(to.high + i + 2 * j, high_of(first), high_of(second));
      put(to.low + i + 2 * j, low_of(first), low_of(second));
    }
  }
}

// Sums of products with both bytes. The weights are too large by 2^excess_bits, and `sum_x` is the
// sum of x: it wraps around where x is not finite, and the scale is NaN.
template <class V>
class PlaneSums {
 public:
  PlaneSums(int32_t sum_x, uint32_t excess_bits) {
    const auto excess = V::shift_left(V::splat_i32(sum_x), excess_bits);
    unroll<kRowVectors<V>>([&](auto v) { low_[v] = V::sub_i32(low_[v], excess); });
  }
  // Four bytes of each row's weights, below 128, times those of x from column i on.
  [[gnu::always_inline]] void add(size_t v, typename V::I32 weights, const BytePlanes& x,
                                  size_t i) {
    low_[v] = V::add_dot_quads(V::splat_quad(x.low + i), weights, low_[v]);
    high_[v] = V::add_dot_quads(V::splat_quad(x.high + i), weights, high_[v]);
  }
  [[nodiscard]] RowSums<V> total() const {
    RowSums<V> sums;
    unroll<kRowVectors<V>>(
        [&](auto v) { sums[v] = V::add_i32(V::shift_left(high_[v], 7), low_[v]); });
    return sums;
  }

 private:
  RowSums<V> low_;
  RowSums<V> high_;
};

template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_fours_by_bytes(const int32_t* codes,
                                                                 const BytePlanes& x, size_t n,
                                                                 int32_t sum_x) {
  PlaneSums<V> sums(sum_x, 3);
  const auto mask = V::template constant_i32<0x0F0F0F0F>();
  for (size_t i = 0; i < n; i += 8, codes += kPanelColumns) {
    unroll<kRowVectors<V>>([&](auto v) {
      const auto w = V::load_ints(codes + v * V::kLanes);
      sums.add(v, V::and_i32(w, mask), x, i);
      sums.add(v, V::and_i32(V::shift_pairs_right(w, 4), mask), x, i + 4);
    });
  }
  return sums.total();
}

// Eight columns a turn: with more of them V8 has no register left.
template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_fives_by_bytes(const int32_t* codes,
                                                                 const BytePlanes& x, size_t n,
                                                                 int32_t sum_x) {
  PlaneSums<V> sums(sum_x, 4);
  const auto mask = V::template constant_i32<0x0F0F0F0F>();
  const auto bit = V::template constant_i32<0x10101010>();
  RowSums<V> fifth;  // its lowest bits belong to the next columns
  for (size_t i = 0; i < n; i += 8, codes += kPanelColumns) {
    if (i % 32 == 0) {
      codes += i == 0 ? 0 : kPanelColumns;
      unroll<kRowVectors<V>>(
          [&](auto v) { fifth[v] = V::load_ints(codes + 4 * kPanelColumns + v * V::kLanes); });
    }
    unroll<kRowVectors<V>>([&](auto v) {
      const auto w = V::load_ints(codes + v * V::kLanes);
      const auto first = V::and_i32(V::shift_left(fifth[v], 4), bit);
      const auto second = V::and_i32(fifth[v], bit);
      sums.add(v, V::or_i32(V::and_i32(w, mask), first), x, i);
      sums.add(v, V::or_i32(V::and_i32(V::shift_pairs_right(w, 4), mask), second), x, i + 4);
      fifth[v] = V::shift_pairs_right(fifth[v], 1);
    });
  }
  return sums.total();
}

}  // namespace ambry::kernels
