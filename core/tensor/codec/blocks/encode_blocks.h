// Floats to blocks of ggml (core/formats/gguf/README.md#blocks): Q8_0 and the K-quants.
#pragma once

#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "tensor/dtype/dtype.h"

namespace ambry::tensor {

// Whether encode_blocks() makes the type.
[[nodiscard]] bool can_encode_blocks(DType dtype);

// Whole blocks. The scales are searched for the smallest error. `importance` has how much the
// square of an error counts, for each column of rows of so many numbers: finite, and not negative.
// Without it large numbers of K-quants have more weight, as ggml does it; Q8_0 has no use for it.
// BadValue at `values[i]` for a number that is not finite, or so large that its block's scale has
// no f16. Mismatch when numbers, columns and bytes do not agree; Unsupported for other types.
[[nodiscard]] Result<void> encode_blocks(DType dtype, std::span<const float> values,
                                         MutableBytes out, std::span<const float> importance = {});

}  // namespace ambry::tensor
