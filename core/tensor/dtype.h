// Element types of stored tensors, over all formats.
#pragma once

#include <cstdint>
#include <string_view>

namespace ambry::tensor {

enum class DType : uint8_t { F32, F16, BF16, F64, I8, I16, I32, I64, U8, U16, U32, U64, Bool };

// Bytes of one element.
[[nodiscard]] uint32_t dtype_size(DType dtype);
// Lower case, as printed by `inspect`: f32, f16, bf16, i8, …
[[nodiscard]] std::string_view dtype_name(DType dtype);
[[nodiscard]] bool is_float(DType dtype);

}  // namespace ambry::tensor
