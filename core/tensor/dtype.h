// Element types of stored tensors, over all formats: plain ones, whose elements stand alone, and
// quantised ones, whose elements share scales.
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
  // Quantised as AMB does it (amb_and_embd.md A3); a TensorEntry's `quantization` says the rest.
  Int8,
  Int4,
  Int5,
  Int4Block,
  Int5Block,
  Adaptive,
};

// Whether every element has bytes of its own.
[[nodiscard]] bool is_plain(DType dtype);
// Bytes of one element of a plain type.
[[nodiscard]] uint32_t dtype_size(DType dtype);
// Lower case, as printed by `inspect`: f32, f16, bf16, i8, …, int4_block.
[[nodiscard]] std::string_view dtype_name(DType dtype);
[[nodiscard]] bool is_float(DType dtype);

}  // namespace ambry::tensor
