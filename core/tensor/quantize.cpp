#include "tensor/quantize.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ambry::tensor {
namespace {

constexpr float kMaxCode = 127.0F;

// The scale of a row; 0 for a row of zeros.
Result<float> row_scale(std::span<const float> row, size_t index) {
  float max_abs = 0;
  for (const float w : row) {
    if (!std::isfinite(w)) {
      return make_error(ErrorCode::BadValue, {"row ", index},
                        "a weight is NaN or infinite and cannot be quantised");
    }
    max_abs = std::max(max_abs, std::abs(w));
  }
  const float scale = max_abs / kMaxCode;
  // Weights below the smallest subnormal times 127 would get scale 0 without being zero.
  return scale == 0 && max_abs > 0 ? max_abs : scale;
}

}  // namespace

Result<void> quantize_rows_int8(std::span<const float> weights, size_t rows, size_t cols,
                                std::span<int8_t> quantized, std::span<float> scales) {
  assert(weights.size() == rows * cols && quantized.size() == weights.size());
  assert(scales.size() == rows);
  for (size_t row = 0; row < rows; ++row) {
    const std::span<const float> from = weights.subspan(row * cols, cols);
    const std::span<int8_t> to = quantized.subspan(row * cols, cols);
    AMBRY_TRY(const float scale, row_scale(from, row));
    scales[row] = scale;
    for (size_t col = 0; col < cols; ++col) {
      // Doubles, because the quotient of subnormal floats would round twice.
      const double code =
          scale == 0 ? 0.0
                     : std::nearbyint(static_cast<double>(from[col]) / static_cast<double>(scale));
      to[col] = static_cast<int8_t>(std::clamp(code, -127.0, 127.0));
    }
  }
  return {};
}

}  // namespace ambry::tensor
