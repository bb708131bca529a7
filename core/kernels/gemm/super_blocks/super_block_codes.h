// The numbers and codes of a packed super-block (super_block_layout.h) as vectors, one lane for
// each row of the panel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/unroll.h"
#include "kernels/gemm/groups/group_panel_int16.h"
#include "kernels/gemm/super_blocks/super_block_layout.h"

namespace ambry::kernels {

// Lambdas are inlined by force: sums that are passed by address would lie in memory.
#define AMBRY_INLINE __attribute__((always_inline))

// Moves the bits [from, from + n) of each byte to [to, to + n) and clears the others.
template <class V, uint32_t kBits, uint32_t kFrom, uint32_t kTo>
[[gnu::always_inline]] inline typename V::I32 byte_bits(typename V::I32 word) {
  constexpr auto kMask = static_cast<int32_t>(((1U << kBits) - 1) << kTo) * 0x01010101;
  if constexpr (kFrom > kTo) word = V::shift_right(word, kFrom - kTo);
  if constexpr (kFrom < kTo) word = V::shift_left(word, kTo - kFrom);
  return V::and_i32(word, V::template constant_i32<kMask>());
}

// Takes the scale of the next sub-block from a word of scales.
template <class V, SuperBlockLayout kLayout>
[[gnu::always_inline]] inline typename V::I32 take_scale(typename V::I32& word) {
  if constexpr (kLayout.scale_bits == 8) {
    const auto scale = V::shift_right(word, 24);
    word = V::shift_left(word, 8);
    return scale;
  } else {
    const auto scale = V::and_i32(word, V::template constant_i32<15>());
    word = V::shift_right(word, 4);
    return scale;
  }
}

// The minima of four sub-blocks of every row of vector v, in four bytes.
template <class V, SuperBlockLayout kLayout>
[[gnu::always_inline]] inline typename V::I32 four_minima(const uint8_t* block, uint32_t quad,
                                                          size_t v) {
  const auto* words = reinterpret_cast<const int32_t*>(block + kLayout.minima_at());
  constexpr uint32_t kQuads = 8 / kLayout.scale_bits;  // of a word
  const auto word = V::load_i32(words + quad / kQuads * kPanelColumns + v * V::kLanes);
  if constexpr (kQuads == 1) return word;
  return byte_bits<V, 4, 0, 0>(V::shift_right(word, quad % kQuads * 4));
}

// The codes of a group's four of every row of vector v.
template <class V, SuperBlockLayout kLayout, size_t kFour>
[[gnu::always_inline]] inline typename V::I32 four_codes(const int32_t* words, size_t v,
                                                         typename V::Table table) {
  constexpr auto kPieces = pieces_of(kLayout.code_bits, kFour);
  const auto piece = [&](auto i) AMBRY_INLINE {
    constexpr CodePiece kPiece = kPieces[i];
    const auto word = V::load_i32(words + kPiece.word * kPanelColumns + v * V::kLanes);
    return byte_bits<V, kPiece.bits, kPiece.from, kPiece.to>(word);
  };
  auto codes = piece(std::integral_constant<size_t, 0>());
  if constexpr (kPieces[1].bits > 0) {
    codes = V::or_i32(codes, piece(std::integral_constant<size_t, 1>()));
  }
  if constexpr (kPieces[2].bits > 0) {
    codes = V::or_i32(codes, piece(std::integral_constant<size_t, 2>()));
  }
  if constexpr (kLayout.table > 0) codes = V::look_up(table, codes);
  return codes;
}

// The even and the odd of four codes as pairs.
template <class V, SuperBlockLayout kLayout>
[[gnu::always_inline]] inline typename V::I32 even_codes(typename V::I32 four) {
  if constexpr (kLayout.table > 0) return V::widen_even_i8(four);
  return V::and_i32(four, V::template constant_i32<0x00FF00FF>());
}
template <class V, SuperBlockLayout kLayout>
[[gnu::always_inline]] inline typename V::I32 odd_codes(typename V::I32 four) {
  if constexpr (kLayout.table > 0) return V::widen_odd_i8(four);
  return V::shift_right_u16x2(four, 8);
}

}  // namespace ambry::kernels
