// How ggml's K-quants are packed for products: super-blocks of 256 columns with one or two factors
// a row, and in them sub-blocks of 16 or 32 columns with a small integer scale, and with most types
// a small integer minimum. A code q has the value d * scale * (q - offset), or
// d * scale * q - dmin * minimum, or d * scale * table[q].
//
// core/kernels/README.md has pictures. The super-blocks of a panel of eight rows lie one after
// another. Each has
//
//   8 floats   d of the eight rows; with minima, 8 more: dmin
//   numbers    words of the sub-blocks' scales, then words of their minima
//   codes      words of several fours
//
// where a word is 32 bits for each of the eight rows. A word of scales has 8 bits for each of four
// sub-blocks, the first of them highest, or 4 bits for each of eight, the first of them lowest. A
// word of minima has them in its bytes, sub-block by sub-block: one in each, or two of 4 bits.
//
// Codes come in fours, in the order in which x has them: columns 0, 4, 1, 5 and 2, 6, 3, 7 of each
// eight (group_panel_int8.h). Byte i of a word has the bits of code i of several fours: as many
// whole codes as there is room for, the first lowest. Where bits are left above them, as many words
// as a code has bits make a group: the bits that are left in its bytes are the group's last codes
// (kRests). So most codes take a mask, or a shift and a mask, to unpack.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/gemm/layout/packed_f32_matrix.h"
#include "tensor/codec/blocks/k_quant_blocks.h"
#include "tensor/dtype/dtype.h"

namespace ambry::kernels {

using tensor::kSuperBlock;  // columns

// Some bits of a code: where they lie in the bytes of a word of its group, and in the code.
struct CodePiece {
  uint32_t word;
  uint32_t from;
  uint32_t bits;
  uint32_t to;
};

// The pieces of a code that does not lie whole in a byte.
struct RestOfCodes {
  uint32_t code_bits;
  uint32_t four;  // of the group
  std::array<CodePiece, 3> pieces;
};
inline constexpr std::array<RestOfCodes, 6> kRests = {{
    {3, 6, {{{0, 6, 2, 0}, {2, 6, 1, 2}}}},
    {3, 7, {{{1, 6, 2, 0}, {2, 7, 1, 2}}}},
    {5, 5, {{{0, 5, 3, 0}, {3, 5, 2, 3}}}},
    {5, 6, {{{1, 5, 3, 0}, {4, 5, 2, 3}}}},
    {5, 7, {{{2, 5, 3, 0}, {3, 7, 1, 3}, {4, 7, 1, 4}}}},
    {6, 3, {{{0, 6, 2, 0}, {1, 6, 2, 2}, {2, 6, 2, 4}}}},
}};

// The pieces of the codes of a group's four; those without bits are none.
[[nodiscard]] constexpr std::array<CodePiece, 3> pieces_of(uint32_t code_bits, uint32_t four) {
  for (const RestOfCodes& rest : kRests) {
    if (rest.code_bits == code_bits && rest.four == four) return rest.pieces;
  }
  const uint32_t whole = 8 / code_bits;  // in a byte
  return {{{four / whole, four % whole * code_bits, code_bits, 0}}};
}

struct SuperBlockLayout {
  tensor::DType dtype;
  uint32_t sub_block;    // columns that share a scale
  uint32_t scale_bits;   // of a scale and of a minimum, as packed
  uint32_t scale_range;  // the largest magnitude of a scale
  bool minima;           // scales are unsigned then, otherwise signed
  uint32_t code_bits;
  int32_t offset;
  // The largest magnitude of the 16 numbers into which a code is an index; 0: it is a number.
  uint32_t table;

  [[nodiscard]] constexpr uint32_t sub_blocks() const { return kSuperBlock / sub_block; }
  // Words of scales, and of minima.
  [[nodiscard]] constexpr size_t scale_words() const { return sub_blocks() * scale_bits / 32; }
  // Fours and words of a group.
  [[nodiscard]] constexpr uint32_t group_fours() const { return 8U >> std::countr_zero(code_bits); }
  [[nodiscard]] constexpr uint32_t group_words() const {
    return code_bits >> std::countr_zero(code_bits);
  }
  // Bytes from the start of a super-block to its scales, minima and codes, and its size.
  [[nodiscard]] constexpr size_t scales_at() const {
    return kPanelColumns * sizeof(float) * (minima ? 2 : 1);
  }
  [[nodiscard]] constexpr size_t minima_at() const {
    return scales_at() + scale_words() * kPanelColumns * sizeof(uint32_t);
  }
  [[nodiscard]] constexpr size_t codes_at() const {
    return minima_at() + (minima ? scale_words() * kPanelColumns * sizeof(uint32_t) : 0);
  }
  [[nodiscard]] constexpr size_t bytes() const {
    return codes_at() + kPanelColumns * kSuperBlock * code_bits / 8;
  }
  // The largest magnitude of scale * (code - offset), in the sums of products.
  [[nodiscard]] constexpr size_t largest_product() const {
    const size_t code = table > 0 ? table
                        : minima  ? (size_t{1} << code_bits) - 1
                                  : static_cast<size_t>(offset);
    return scale_range * code;
  }
};

// The last row is that of all types with grids (tensor/codec/blocks/grid_blocks.h).
inline constexpr std::array<SuperBlockLayout, 7> kSuperBlockLayouts = {{
    {tensor::DType::Q2_K, 16, 4, 15, true, 2, 0, 0},
    {tensor::DType::Q3_K, 16, 8, 32, false, 3, 4, 0},
    {tensor::DType::Q4_K, 32, 8, 63, true, 4, 0, 0},
    {tensor::DType::Q5_K, 32, 8, 63, true, 5, 0, 0},
    {tensor::DType::Q6_K, 16, 8, 128, false, 6, 32, 0},
    {tensor::DType::IQ4_XS, 32, 8, 32, false, 4, 0, 127},
    {tensor::DType::IQ3_XXS, 16, 8, 31, false, 4, 0, 62},
}};

}  // namespace ambry::kernels
