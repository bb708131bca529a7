// How ggml's K-quants are packed for products: super-blocks of 256 columns with one or two halves a
// row, and in them sub-blocks of 16 or 32 columns with a small integer scale, and with most types a
// small integer minimum. The value of a code q is d * scale * (q - offset), or
// d * scale * q - dmin * minimum.
//
// A panel of eight rows takes as many bytes as these rows do in the file. core/kernels/README.md
// has pictures. The super-blocks of a panel lie one after another. Each has
//
//   8 halves          d of the eight rows; with minima, 8 more: dmin
//   numbers           scales, then minima, of four sub-blocks in the four bytes of a lane:
//                     8 bits: a word for each four; less: words of the low 4 bits of eight numbers,
//                     then for 6 bits words of the high 2 bits of sixteen
//   codes             for every 32 columns: words of low bits, then words of high bits
//
// where a word is 32 bits for each of the eight rows. Codes come in fours, in the order in which x
// has them: columns 0, 4, 1, 5 and 2, 6, 3, 7 of each eight (group_panel_int8.h). Byte i of a word
// has the bits of code i of several fours, the first four lowest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/gemm/packed_f32_matrix.h"
#include "tensor/codec/int4_table.h"
#include "tensor/dtype.h"

namespace ambry::kernels {

inline constexpr size_t kSuperBlock = 256;  // columns
inline constexpr size_t kUnit = 32;         // columns whose codes lie together

struct SuperBlockLayout {
  tensor::DType dtype;
  uint32_t sub_block;   // columns that share a scale
  uint32_t scale_bits;  // of a scale and of a minimum
  bool minima;          // scales are unsigned then, otherwise signed
  uint32_t low_bits;
  uint32_t high_bits;
  int32_t offset;
  bool table;  // a code is an index into kInt4Table

  [[nodiscard]] constexpr uint32_t sub_blocks() const { return kSuperBlock / sub_block; }
  [[nodiscard]] constexpr uint32_t bits() const { return low_bits + high_bits; }
  [[nodiscard]] constexpr uint32_t numbers() const { return sub_blocks() * (minima ? 2 : 1); }
  // Bytes from the start of a super-block to its numbers and to its codes, and its size.
  [[nodiscard]] constexpr size_t numbers_at() const {
    return kPanelColumns * sizeof(uint16_t) * (minima ? 2 : 1);
  }
  [[nodiscard]] constexpr size_t codes_at() const {
    return numbers_at() + size_t{kPanelColumns} * numbers() * scale_bits / 8;
  }
  [[nodiscard]] constexpr size_t bytes() const {
    return codes_at() + kPanelColumns * kSuperBlock * bits() / 8;
  }
  // Words of a row in a unit: 32 codes in words of 32 bits.
  [[nodiscard]] constexpr size_t unit_words() const { return bits() * kPanelColumns; }
  // The largest magnitude of scale * (code - offset), in the sums of products.
  [[nodiscard]] constexpr size_t largest_product() const {
    const size_t scale = minima ? (size_t{1} << scale_bits) - 1 : size_t{1} << (scale_bits - 1);
    const size_t code = table    ? 127
                        : minima ? (size_t{1} << bits()) - 1
                                 : static_cast<size_t>(offset);
    return scale * code;
  }
};

inline constexpr std::array<SuperBlockLayout, 6> kSuperBlockLayouts = {{
    {tensor::DType::Q2_K, 16, 4, true, 2, 0, 0, false},
    {tensor::DType::Q3_K, 16, 6, false, 2, 1, 4, false},
    {tensor::DType::Q4_K, 32, 6, true, 4, 0, 0, false},
    {tensor::DType::Q5_K, 32, 6, true, 4, 1, 0, false},
    {tensor::DType::Q6_K, 16, 8, false, 4, 2, 32, false},
    {tensor::DType::IQ4_XS, 32, 6, false, 4, 0, 0, true},
}};

using tensor::kInt4Table;

}  // namespace ambry::kernels
