// Q8_0: the largest magnitude of a block becomes 127.
#include <algorithm>
#include <cmath>

#include "base/bytes.h"
#include "base/half.h"
#include "tensor/codec/blocks/block_encoders.h"

namespace ambry::tensor {

bool encode_q8_0(const float* values, const float* /*importance*/, uint8_t* block) {
  constexpr size_t kBlock = 32;
  float largest = 0;
  for (size_t i = 0; i < kBlock; ++i) largest = std::max(largest, std::abs(values[i]));
  const uint16_t stored = f32_to_f16(largest / 127);
  const float scale = f16_to_f32(stored);
  if (!std::isfinite(scale)) return false;
  store_le(block, stored);
  const float inverse = scale > 0 ? 1 / scale : 0;
  for (size_t i = 0; i < kBlock; ++i) {
    const float code = std::clamp(values[i] * inverse, -127.0F, 127.0F);
    block[2 + i] = static_cast<uint8_t>(static_cast<int>(code + 127.5F) - 127);
  }
  return true;
}

}  // namespace ambry::tensor
