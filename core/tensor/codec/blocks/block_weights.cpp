#include <cmath>

#include "tensor/codec/blocks/block_encoders.h"

namespace ambry::tensor {

std::array<float, kSuperBlock> block_weights(const float* values, size_t group,
                                             const float* importance) {
  std::array<float, kSuperBlock> weights;
  if (importance != nullptr) {
    double sum = 0;
    for (size_t i = 0; i < kSuperBlock; ++i) sum += double{importance[i]};
    const double unit = double{kSuperBlock} / sum;
    const bool known = sum > 0 && std::isfinite(unit);
    for (size_t i = 0; i < kSuperBlock; ++i) {
      weights[i] = known ? static_cast<float>(importance[i] * unit) : 1;
    }
    return weights;
  }
  for (size_t first = 0; first < kSuperBlock; first += group) {
    float squares[4] = {};
    for (size_t i = 0; i < group; ++i) squares[i % 4] += values[first + i] * values[first + i];
    const float sum = (squares[0] + squares[1]) + (squares[2] + squares[3]);
    const float mean = std::sqrt(sum / static_cast<float>(group));
    for (size_t i = first; i < first + group; ++i) weights[i] = mean + std::abs(values[i]);
  }
  return weights;
}

}  // namespace ambry::tensor
