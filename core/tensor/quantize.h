// Symmetric int8 quantization with one scale a row: w ≈ q · scale, q in -127..127.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"

namespace ambry::tensor {

// `weights` and `quantized` are rows × cols, `scales` has one float a row: max|w| / 127, and 0 for
// a row of zeros. q is w / scale rounded half to even. BadValue for NaN or infinity, naming the
// row.
[[nodiscard]] Result<void> quantize_rows_int8(std::span<const float> weights, size_t rows,
                                              size_t cols, std::span<int8_t> quantized,
                                              std::span<float> scales);

}  // namespace ambry::tensor
