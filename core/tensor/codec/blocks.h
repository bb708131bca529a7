// Types that only files from elsewhere hold (GGUF, safetensors), to float. They are read, listed
// and converted; nothing computes with them.
#pragma once

#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "tensor/dtype.h"

namespace ambry::tensor {

// Whether decode_blocks() knows the type: Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, F8E4M3 and F8E5M2.
[[nodiscard]] bool can_decode_blocks(DType dtype);

// Whole blocks of `block_of(dtype)`, as they lie in the file, to out.size() floats; a tensor may go
// by in pieces of any number of blocks. Exact: each value is the float that ggml's reference makes,
// one multiplication and one addition in float. Unsupported for other types, Mismatch when bytes
// and elements do not agree.
[[nodiscard]] Result<void> decode_blocks(DType dtype, Bytes bytes, std::span<float> out);

}  // namespace ambry::tensor
