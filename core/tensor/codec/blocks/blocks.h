// Types that only files from elsewhere hold (GGUF, safetensors), to float.
#pragma once

#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "tensor/dtype/dtype.h"

namespace ambry::tensor {

// Whether decode_blocks() knows the type: all block types of ggml, and F8E4M3 and F8E5M2.
[[nodiscard]] bool can_decode_blocks(DType dtype);

// Whole blocks of `block_of(dtype)`, as they lie in the file, to out.size() floats; a tensor may go
// by in pieces of any number of blocks. Exact: each value is the float that ggml's reference makes,
// in its order of float operations. Unsupported for other types, Mismatch when bytes and elements
// do not agree.
[[nodiscard]] Result<void> decode_blocks(DType dtype, Bytes bytes, std::span<float> out);

// Whether a decoder can multiply by a matrix of this type: those of ggml that decode_blocks()
// knows.
[[nodiscard]] bool can_run_blocks(DType dtype);
// BadValue at `scales[i]` for the first block i that has a scale that is not finite.
[[nodiscard]] Result<void> check_block_scales(DType dtype, Bytes blocks);

}  // namespace ambry::tensor
