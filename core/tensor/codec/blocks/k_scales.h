// The 6-bit scales in 12 bytes of ggml's K-quants (core/formats/gguf/README.md#blocks).
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace ambry::tensor {

struct KScale {
  uint8_t scale = 0;    // 0 to 63
  uint8_t minimum = 0;  // 0 to 63
};

// Unpacks the scale and minimum of group i, 0 to 7, of Q4_K and Q5_K. Groups 0 to 3 have them in
// the low six bits of bytes i and i + 4. Groups 4 to 7 have the low halves in byte i + 4, and the
// two high bits above those of group i - 4.
[[nodiscard]] inline KScale unpack_k_scale(const uint8_t* packed, size_t i) {
  assert(i < 8);
  if (i < 4) {
    return {static_cast<uint8_t>(packed[i] & 63U), static_cast<uint8_t>(packed[i + 4] & 63U)};
  }
  const uint32_t low = packed[i + 4];
  const uint32_t scale = packed[i - 4] & 0xC0U;  // the two high bits, two places too high
  const uint32_t minimum = packed[i] & 0xC0U;
  return {static_cast<uint8_t>((low & 15U) | scale >> 2U),
          static_cast<uint8_t>(low >> 4U | minimum >> 2U)};
}

// Packs the scale and minimum of group i of Q4_K and Q5_K. The bits of group i in `packed` must be
// 0.
inline void pack_k_scale(KScale group, size_t i, uint8_t* packed) {
  assert(i < 8 && group.scale < 64 && group.minimum < 64);
  const auto put = [&](size_t at, uint32_t bits) {
    packed[at] = static_cast<uint8_t>(packed[at] | bits);
  };
  if (i < 4) {
    put(i, group.scale);
    put(i + 4, group.minimum);
    return;
  }
  const uint32_t scale = group.scale;
  const uint32_t minimum = group.minimum;
  put(i + 4, (scale & 15U) | (minimum & 15U) << 4U);
  put(i - 4, (scale & 48U) << 2U);
  put(i, (minimum & 48U) << 2U);
}

// Unpacks the scale of group i, 0 to 15, of Q3_K: a number from -32 to 31. The low four bits are in
// the halves of bytes 0 to 7, the two high bits in bytes 8 to 11.
[[nodiscard]] inline int unpack_q3_k_scale(const uint8_t* packed, size_t i) {
  assert(i < 16);
  const int low = packed[i % 8] >> (i / 8 * 4) & 15;
  const int high = packed[8 + i % 4] >> (i / 4 * 2) & 3;
  return (low | high << 4) - 32;
}

}  // namespace ambry::tensor
