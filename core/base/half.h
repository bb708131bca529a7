// Converts IEEE 754 binary16 and bfloat16 to and from binary32. Widening is exact; narrowing rounds
// to nearest, ties to even. Overflow gives infinity, NaN stays NaN.
#pragma once

#include <bit>
#include <cstdint>

namespace ambry {

[[nodiscard]] inline float bf16_to_f32(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

[[nodiscard]] inline uint16_t f32_to_bf16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<uint16_t>((bits >> 16) | 0x40U);
  return static_cast<uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

[[nodiscard]] inline float f16_to_f32(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000U) << 16;
  const uint32_t magnitude = bits & 0x7FFFU;
  if (magnitude >= 0x7C00U) {  // infinity or NaN
    return std::bit_cast<float>(sign | 0x7F800000U | ((magnitude & 0x3FFU) << 13));
  }
  // 2^112 moves the exponent bias from 15 to 127 and also normalizes subnormals, exactly.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112F;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(scaled));
}

[[nodiscard]] inline uint16_t f32_to_f16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000U);
  const uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) {
    return static_cast<uint16_t>(sign | 0x7E00U | ((magnitude >> 13) & 0x3FFU));
  }
  if (magnitude >= 0x477FF000U) return static_cast<uint16_t>(sign | 0x7C00U);  // rounds to >= 65520
  if (magnitude < 0x38800000U) {
    // Subnormal: adding 0.5 aligns the lowest half-precision bit with the lowest float bit, so the
    // FPU itself rounds to nearest even.
    const float rounded = std::bit_cast<float>(magnitude) + 0.5F;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(rounded) - 0x3F000000U));
  }
  const uint32_t rebased = magnitude - 0x38000000U;
  return static_cast<uint16_t>(sign | ((rebased + 0xFFFU + ((rebased >> 13) & 1U)) >> 13));
}

}  // namespace ambry
