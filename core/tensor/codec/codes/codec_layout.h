// The payloads of AMB's quantized tensors, byte for byte
// (core/formats/amb/README.md#quantized-payloads). With rows = the product of all extents but the
// last, cols = the last, B = block_size, s = bytes of a scale, nb = ceil(cols/B) and NB = rows ·
// nb:
//
//   INT8       Q | scales | rows·cols bytes                        scales: 1 (B = 0) or NB
//   INT4       Q | scales | rows × ceil(cols/2) bytes              the same; rows start on a byte
//   INT5       Q | scales | rows × ceil(5·cols/8) bytes            the same
//   INT4BLOCK  Q | NB × [scale | B/2 bytes]                        B even
//   INT5BLOCK  Q | NB × [scale | 5B/8 bytes]                       B a multiple of 8
//   ADAPTIVE   Q | NB mask bytes | NB scales | NB × codes by mask  B a multiple of 8
//
// Q is the 4-byte prefix, which older layouts leave out. A short last block of a row is stored at
// full length with codes of 0. Codes are two's complement, packed from the lowest bit on; x = code
// · scale.
//
// With minima (Quantization::minima) a scale is two numbers of its type, scale and minimum, and s
// counts both. Then x = (code + 2^(bits - 1)) · scale + minimum, each step rounded to f32.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "tensor/dtype/dtype_table.h"
#include "tensor/dtype/quantization.h"
#include "tensor/dtype/shape.h"

namespace ambry::tensor {

inline constexpr uint8_t kQuantPrefixBytes = 4;

// How one element is coded: Int8, Int4, Int5, or F16 in blocks of ADAPTIVE.
[[nodiscard]] constexpr uint32_t code_bits(DType code) {
  return dtype_column<&DTypeRow::code_bits>(code);
}

// Codes are packed in units of whole bytes: 5 bytes hold 8 five-bit codes.
[[nodiscard]] constexpr uint32_t codes_per_unit(DType code) {
  const uint32_t bits = code_bits(code);
  return bits % 8 == 0 ? 1 : bits % 4 == 0 ? 2 : bits % 2 == 0 ? 4 : 8;
}
[[nodiscard]] constexpr uint32_t unit_bytes(DType code) {
  return codes_per_unit(code) * code_bits(code) / 8;
}
// Bytes of `n` codes in a row of their own; n < 2^59.
[[nodiscard]] constexpr uint64_t code_bytes(DType code, uint64_t n) {
  return (n * code_bits(code) + 7) / 8;
}

// The code of the elements of INT8, INT4 and INT5, with blocks or without.
[[nodiscard]] constexpr DType code_type(DType dtype) {
  return dtype_column<&DTypeRow::code>(dtype);
}

[[nodiscard]] constexpr Arrangement arrangement_of(DType dtype) {
  return dtype_column<&DTypeRow::arrangement>(dtype);
}

// In the number of the type of scales: that each has a minimum after it.
inline constexpr uint8_t kMinimaFlag = 0x80;

// The prefix Q: AMB's number of the type, block size, and that of the type of scales with the flag.
[[nodiscard]] std::array<uint8_t, kQuantPrefixBytes> quant_prefix(DType dtype,
                                                                  const Quantization& quantization);

// A byte of ADAPTIVE's mask is the number of its block's type
// (core/formats/amb/README.md#adaptive-mask).
struct MaskCode {
  uint8_t byte;
  DType code;
};
inline constexpr auto kMaskCodes = [] {
  constexpr auto kCodes = dtypes_where<&DTypeRow::in_mask>();
  std::array<MaskCode, kCodes.size()> codes{};
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i] = {*dtype_column<&DTypeRow::amb>(kCodes[i]), kCodes[i]};
  }
  return codes;
}();
[[nodiscard]] constexpr std::optional<DType> mask_code(uint8_t byte) {
  for (const MaskCode& known : kMaskCodes) {
    if (known.byte == byte) return known.code;
  }
  return std::nullopt;
}

// Where things lie in a payload.
struct PayloadLayout {
  uint64_t rows = 0;  // 1 when blocks run over the flattened tensor
  uint64_t cols = 0;
  uint64_t block = 0;           // elements that share a scale; all of the tensor where B = 0
  uint64_t blocks_per_row = 0;  // 0 where one scale serves the tensor
  uint64_t n_scales = 0;        // of an array before the codes; 0 where scales lie between them
  uint32_t scale_bytes = 0;     // with its minimum
  bool half_scales = false;     // numbers of 2 bytes
  float excess = 0;             // with minima: what is added to a code
  uint64_t n_mask = 0;          // ADAPTIVE
  uint64_t mask_at = 0;         // after the prefix, if any
  uint64_t scales_at = 0;       // of the array, or of the first block
  uint64_t codes_at = 0;        // after the array
  // Of the whole payload; they differ for ADAPTIVE, where the mask decides.
  uint64_t min_bytes = 0;
  uint64_t max_bytes = 0;
};

// BadValue for a block size or scale type that the dtype cannot have, Overflow when a number passes
// 64 bits. No extent may be 0. Paths are `block_size`, `scale_type` and `shape`.
[[nodiscard]] Result<PayloadLayout> payload_layout(DType dtype, const Shape& shape,
                                                   const Quantization& quantization);

// What makes numbers of the codes of a block.
struct BlockScale {
  float scale = 1;
  float minimum = 0;
  float excess = 0;  // above 0 where there are minima
};
[[nodiscard]] BlockScale read_scale(const PayloadLayout& layout, const uint8_t* from);
void scale_codes(const BlockScale& by, std::span<float> codes);

// The size of an ADAPTIVE payload, of which `mask` lies at `mask_offset` of the file. BadValue at a
// byte of it that means nothing.
[[nodiscard]] Result<uint64_t> adaptive_bytes(const PayloadLayout& layout, Bytes mask,
                                              uint64_t mask_offset);

}  // namespace ambry::tensor
