#include "tensor/quantize.h"

#include <cassert>
#include <cmath>

#include "tensor/codec/codes/scaled_codes.h"

namespace ambry::tensor {

Result<void> quantize_rows_int8(std::span<const float> weights, size_t rows, size_t cols,
                                std::span<int8_t> quantized, std::span<float> scales) {
  assert(weights.size() == rows * cols && quantized.size() == weights.size());
  assert(scales.size() == rows);
  for (size_t row = 0; row < rows; ++row) {
    const std::span<const float> from = weights.subspan(row * cols, cols);
    const float extreme = signed_extreme(from);
    if (!std::isfinite(extreme)) {
      return make_error(ErrorCode::BadValue, {"row ", row},
                        "a weight is NaN or infinite and cannot be quantized");
    }
    scales[row] = ideal_scale(DType::Int8, extreme);
    quantize_codes(DType::Int8, from, scales[row], quantized.subspan(row * cols, cols).data());
  }
  return {};
}

}  // namespace ambry::tensor
