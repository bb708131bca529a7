// Floats to blocks of ggml (core/formats/gguf/README.md#blocks): Q8_0, Q4_K and Q6_K.
#pragma once

#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "tensor/dtype/dtype.h"

namespace ambry::tensor {

// Whether encode_blocks() makes the type.
[[nodiscard]] bool can_encode_blocks(DType dtype);

// Whole blocks. The scales are searched for the smallest error, of Q4_K and Q6_K with more weight
// on large numbers, as ggml does it. BadValue at `values[i]` for a number that is not finite, or so
// large that its block's scale has no f16. Mismatch when numbers and bytes do not agree;
// Unsupported for other types.
[[nodiscard]] Result<void> encode_blocks(DType dtype, std::span<const float> values,
                                         MutableBytes out);

}  // namespace ambry::tensor
