// Element types of stored tensors, over all formats: plain ones, which are read and written element
// by element; quantized ones of AMB; and those that only files from elsewhere hold. dtype_table.h
// has a row with the facts of each.
#pragma once

#include <cstdint>
#include <string_view>

namespace ambry::tensor {

enum class DType : uint8_t {
  // Plain.
  F32,
  F16,
  BF16,
  F64,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  Bool,
  // Quantized as AMB does it (core/formats/amb/README.md#quantized-payloads); a TensorEntry's
  // `quantization` says the rest.
  Int8,
  Int4,
  Int5,
  Int4Block,
  Int5Block,
  Adaptive,
  // Types of safetensors only.
  F8E4M3,
  F8E5M2,
  F8E8M0,
  F8E4M3Fnuz,
  F8E5M2Fnuz,
  F6E2M3,
  F6E3M2,
  F4,
  C64,
  // Types of GGUF only.
  Q4_0,
  Q4_1,
  Q5_0,
  Q5_1,
  Q8_0,
  Q8_1,
  Q2_K,
  Q3_K,
  Q4_K,
  Q5_K,
  Q6_K,
  Q8_K,
  IQ2_XXS,
  IQ2_XS,
  IQ3_XXS,
  IQ1_S,
  IQ4_NL,
  IQ3_S,
  IQ2_S,
  IQ4_XS,
  IQ1_M,
  TQ1_0,
  TQ2_0,
  MXFP4,
  NVFP4,
  Q1_0,
  Q2_0,
};
inline constexpr uint8_t kDTypes = static_cast<uint8_t>(DType::Q2_0) + 1;

// How many elements are stored together, and in how many bytes: {1, 4} for F32, {32, 18} for Q4_0;
// {0, 0} for AMB's quantized types, whose size is not a matter of the type alone.
struct Block {
  uint16_t elements = 0;
  uint16_t bytes = 0;

  friend bool operator==(const Block&, const Block&) = default;
};
[[nodiscard]] Block block_of(DType dtype);

// Whether elements can be read and written one by one (tensor/dtype/convert.h).
[[nodiscard]] bool is_plain(DType dtype);
// Bytes of one element of a plain type.
[[nodiscard]] uint32_t dtype_size(DType dtype);
// Lower case, as printed by `inspect`: f32, f16, bf16, i8, …, int4_block, f8_e4m3, q4_0.
[[nodiscard]] std::string_view dtype_name(DType dtype);
[[nodiscard]] bool is_float(DType dtype);

}  // namespace ambry::tensor
