// Decodes a quantized payload element by element straight from
// core/formats/amb/README.md#quantized-payloads: slow, without streaming, sharing no code with
// core/tensor.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace ambry::tensor::testing {

struct ReferenceCodec {
  int type;  // 3 INT8 … 8 ADAPTIVE
  uint64_t rows;
  uint64_t cols;
  uint64_t block;
  bool half_scales;
  std::vector<uint8_t> payload;

  [[nodiscard]] uint64_t blocks() const { return (cols + block - 1) / block; }

  static double half(uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
  }

  [[nodiscard]] double number(uint64_t at, bool is_half) const {
    if (is_half) return half(static_cast<uint16_t>(payload[at] | payload[at + 1] << 8));
    uint32_t bits = 0;
    for (uint64_t i = 4; i-- > 0;) bits = bits << 8 | payload[at + i];
    float value = 0;
    static_assert(sizeof(value) == sizeof(bits));
    __builtin_memcpy(&value, &bits, sizeof(value));
    return value;
  }

  // Code `i` of those of `bits` bits that start at byte `at`.
  [[nodiscard]] int code(uint64_t at, uint64_t i, uint64_t bits) const {
    int value = 0;
    for (uint64_t k = 0; k < bits; ++k) {
      const uint64_t bit = i * bits + k;
      value |= (payload[at + bit / 8] >> (bit % 8) & 1) << k;
    }
    const int half_range = 1 << (bits - 1);
    return value >= half_range ? value - 2 * half_range : value;
  }

  [[nodiscard]] double element(uint64_t row, uint64_t col) const {
    const uint64_t s = half_scales ? 2 : 4;
    const uint64_t nb = block == 0 ? 0 : blocks();
    const uint64_t index = block == 0 ? 0 : row * nb + col / block;
    const uint64_t in_block = block == 0 ? 0 : col % block;
    if (type <= 5) {
      const uint64_t bits = type == 3 ? 8 : static_cast<uint64_t>(type);
      const uint64_t n_scales = block == 0 ? 1 : rows * nb;
      const uint64_t row_bytes = (cols * bits + 7) / 8;
      return number(4 + index * s, half_scales) *
             code(4 + n_scales * s + row * row_bytes, col, bits);
    }
    if (type <= 7) {
      const uint64_t bits = static_cast<uint64_t>(type) - 2;
      const uint64_t at = 4 + index * (s + block * bits / 8);
      return number(at, half_scales) * code(at + s, in_block, bits);
    }
    const uint64_t n_blocks = rows * nb;
    uint64_t at = 4 + n_blocks + n_blocks * s;
    for (uint64_t i = 0; i < index; ++i) at += block * mask_bits(payload[4 + i]) / 8;
    const uint8_t mask = payload[4 + index];
    if (mask == 1) return number(at + 2 * in_block, true);
    return number(4 + n_blocks + index * s, half_scales) * code(at, in_block, mask_bits(mask));
  }

  static uint64_t mask_bits(uint8_t mask) { return mask == 1 ? 16 : mask == 3 ? 8 : mask; }
};

}  // namespace ambry::tensor::testing
