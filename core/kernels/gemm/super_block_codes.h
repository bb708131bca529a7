// The numbers and codes of a packed super-block (super_block_layout.h) as vectors, one lane for
// each row of the panel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/gemm/group_panel_int16.h"
#include "kernels/gemm/super_block_layout.h"
#include "kernels/unroll.h"

namespace ambry::kernels {

// Moves the bits [from, from + n) of each byte to [to, to + n) and clears the others.
template <class V, uint32_t kBits, uint32_t kFrom, uint32_t kTo>
[[gnu::always_inline]] inline typename V::I32 byte_bits(typename V::I32 word) {
  constexpr auto kMask = static_cast<int32_t>(((1U << kBits) - 1) << kTo) * 0x01010101;
  if constexpr (kFrom > kTo) word = V::shift_right(word, kFrom - kTo);
  if constexpr (kFrom < kTo) word = V::shift_left(word, kTo - kFrom);
  return V::and_i32(word, V::template constant_i32<kMask>());
}

// Four numbers of every row of vector v: the scales of four sub-blocks for a `quad` below
// sub_blocks() / 4, then the minima. Signed ones of 6 bits have no sign yet.
template <class V, SuperBlockLayout kLayout>
[[gnu::always_inline]] inline typename V::I32 four_numbers(const int32_t* numbers, uint32_t quad,
                                                           size_t v) {
  const int32_t* word = numbers + v * V::kLanes;
  if constexpr (kLayout.scale_bits == 8) {
    return V::load_i32(word + quad * kPanelColumns);
  } else {
    const auto low = V::load_i32(word + quad / 2 * kPanelColumns);
    const auto four = byte_bits<V, 4, 0, 0>(V::shift_right(low, quad % 2 * 4));
    if constexpr (kLayout.scale_bits == 4) return four;
    constexpr size_t kHighAt = kLayout.numbers() / 8 * kPanelColumns;
    // With eight numbers a word has the high bits of two rows.
    constexpr bool kShared = kLayout.numbers() == 8;
    const size_t row = v * V::kLanes;
    const size_t lane = kShared ? row % 4 : row;
    const auto shift = static_cast<uint32_t>(2 * size_t{quad} + (kShared ? row / 4 * 4 : 0));
    const auto high = V::shift_right(V::load_i32(numbers + kHighAt + lane), shift);
    return V::or_i32(four, byte_bits<V, 2, 0, 4>(high));
  }
}

// Writes the scales of all sub-blocks and rows in 32 bits.
template <class V, SuperBlockLayout kLayout>
[[gnu::always_inline]] inline void widen_scales(const int32_t* numbers, int32_t* to) {
  constexpr uint32_t kUnused = 32 - kLayout.scale_bits;
  for (uint32_t quad = 0; quad < kLayout.sub_blocks() / 4; ++quad, to += 4 * kPanelColumns) {
    unroll<kRowVectors<V>>([&](auto v) {
      auto four = four_numbers<V, kLayout>(numbers, quad, v);
      unroll<4>([&](auto g) {
        const auto scale = kLayout.minima ? V::and_i32(four, V::template constant_i32<0xFF>())
                                          : V::shift_right(V::shift_left(four, kUnused), kUnused);
        V::store_i32(to + g * kPanelColumns + v * V::kLanes, scale);
        four = V::shift_right(four, 8);
      });
    });
  }
}

// The codes of 32 columns, four at a time. Fours must be asked for in order, each for all vectors.
template <class V, SuperBlockLayout kLayout>
class UnitCodes {
 public:
  UnitCodes(const int32_t* words, typename V::Table table) : words_(words), table_(table) {}

  template <size_t kFour>
  [[gnu::always_inline]] typename V::I32 four(size_t v) {
    auto codes = part<kLayout.low_bits, 0, kFour>(0, v, low_[v]);
    if constexpr (kLayout.high_bits > 0) {
      codes = V::or_i32(
          codes, part<kLayout.high_bits, kLayout.low_bits, kFour>(kLayout.low_bits, v, high_[v]));
    }
    if constexpr (kLayout.table) codes = V::look_up(table_, codes);
    return codes;
  }

 private:
  template <uint32_t kBits, uint32_t kTo, size_t kFour>
  [[gnu::always_inline]] typename V::I32 part(size_t first_word, size_t v,
                                              typename V::I32& word) const {
    constexpr size_t kPerWord = 8 / kBits;
    if constexpr (kFour % kPerWord == 0) {
      word = V::load_i32(words_ + (first_word + kFour / kPerWord) * kPanelColumns + v * V::kLanes);
    }
    return byte_bits<V, kBits, kFour % kPerWord * kBits, kTo>(word);
  }

  const int32_t* words_;
  typename V::Table table_;
  typename V::I32 low_[kRowVectors<V>];
  typename V::I32 high_[kRowVectors<V>];
};

// The even and the odd of four codes as pairs.
template <class V, SuperBlockLayout kLayout>
[[gnu::always_inline]] inline typename V::I32 even_codes(typename V::I32 four) {
  if constexpr (kLayout.table) return V::widen_even_i8(four);
  return V::and_i32(four, V::template constant_i32<0x00FF00FF>());
}
template <class V, SuperBlockLayout kLayout>
[[gnu::always_inline]] inline typename V::I32 odd_codes(typename V::I32 four) {
  if constexpr (kLayout.table) return V::widen_odd_i8(four);
  return V::shift_right_u16x2(four, 8);
}

}  // namespace ambry::kernels
