#include "kernels/gemm/k_quant_blocks.h"

#include <cassert>

#include "base/bytes.h"

namespace ambry::kernels {
namespace {

using tensor::DType;

uint16_t half_at(const uint8_t* from) { return load_le<uint16_t>(from); }

// 6 bits as a signed number, stored too large by 32.
int8_t signed_six(uint32_t low, uint32_t high) {
  return static_cast<int8_t>(static_cast<int>(low | (high & 3U) << 4U) - 32);
}

// 2 bits a value: of 128 values, byte i has values i, 32 + i, 64 + i and 96 + i.
void read_two_bits(const uint8_t* from, std::array<uint8_t, kSuperBlock>& codes) {
  for (size_t i = 0; i < kSuperBlock; ++i) {
    codes[i] = from[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3U;
  }
}

// 4 bits a value: of 64 values, byte i has values i and 32 + i.
void read_nibbles(const uint8_t* from, std::array<uint8_t, kSuperBlock>& codes) {
  for (size_t i = 0; i < kSuperBlock; ++i) {
    codes[i] = from[i / 64 * 32 + i % 32] >> (i % 64 / 32 * 4) & 15U;
  }
}

// 1 bit more: byte i has the bits of values i, 32 + i, 64 + i …
void add_high_bits(const uint8_t* from, uint32_t place, std::array<uint8_t, kSuperBlock>& codes) {
  for (size_t i = 0; i < kSuperBlock; ++i) {
    const uint32_t bit = from[i % 32] >> i / 32 & 1U;
    codes[i] = static_cast<uint8_t>(codes[i] | bit << place);
  }
}

// The first four scales and minima take the lower 6 bits of a byte each; of the others the upper 2
// bits are in these bytes' upper bits.
void read_six_bit_pairs(const uint8_t* from, KQuantBlock& to) {
  for (size_t g = 0; g < 4; ++g) {
    const uint8_t scale = from[g];
    const uint8_t minimum = from[g + 4];
    const uint8_t both = from[g + 8];
    to.scales[g] = static_cast<int8_t>(scale & 63U);
    to.minima[g] = minimum & 63U;
    to.scales[g + 4] = static_cast<int8_t>((both & 15U) | uint32_t{scale} >> 6U << 4U);
    to.minima[g + 4] = static_cast<uint8_t>(both >> 4U | minimum >> 6U << 4U);
  }
}

void read_q2(const uint8_t* from, KQuantBlock& to) {
  for (size_t g = 0; g < 16; ++g) {
    to.scales[g] = static_cast<int8_t>(from[g] & 15U);
    to.minima[g] = from[g] >> 4U;
  }
  read_two_bits(from + 16, to.codes);
  to.d = half_at(from + 80);
  to.dmin = half_at(from + 82);
}

void read_q3(const uint8_t* from, KQuantBlock& to) {
  const uint8_t* scales = from + 96;
  for (size_t g = 0; g < 16; ++g) {
    to.scales[g] =
        signed_six(scales[g % 8] >> g / 8 * 4 & 15U, uint32_t{scales[8 + g % 4]} >> g / 4 * 2);
  }
  read_two_bits(from + 32, to.codes);
  add_high_bits(from, 2, to.codes);
  to.d = half_at(from + 108);
}

void read_q4_or_q5(const uint8_t* from, bool fifth, KQuantBlock& to) {
  to.d = half_at(from);
  to.dmin = half_at(from + 2);
  read_six_bit_pairs(from + 4, to);
  read_nibbles(from + (fifth ? 48 : 16), to.codes);
  if (fifth) add_high_bits(from + 16, 4, to.codes);
}

// Of 128 values, byte i of 64 has the low bits of values i and 64 + i, and byte i of 32 the high
// bits of values i, 32 + i, 64 + i and 96 + i.
void read_q6(const uint8_t* from, KQuantBlock& to) {
  std::array<uint8_t, kSuperBlock> high;
  read_two_bits(from + 128, high);
  for (size_t i = 0; i < kSuperBlock; ++i) {
    const uint32_t low = from[i / 128 * 64 + i % 64] >> (i % 128 / 64 * 4) & 15U;
    to.codes[i] = static_cast<uint8_t>(low | uint32_t{high[i]} << 4U);
  }
  for (size_t g = 0; g < 16; ++g) to.scales[g] = static_cast<int8_t>(from[192 + g]);
  to.d = half_at(from + 208);
}

// Of 32 values, byte i has values i and 16 + i.
void read_iq4(const uint8_t* from, KQuantBlock& to) {
  to.d = half_at(from);
  const uint32_t high = load_le<uint16_t>(from + 2);
  for (size_t g = 0; g < 8; ++g) {
    to.scales[g] = signed_six(from[4 + g / 2] >> g % 2 * 4 & 15U, high >> 2 * g);
  }
  for (size_t i = 0; i < kSuperBlock; ++i) {
    to.codes[i] = from[8 + i / 32 * 16 + i % 16] >> (i % 32 / 16 * 4) & 15U;
  }
}

}  // namespace

void read_k_quant_block(const SuperBlockLayout& layout, const uint8_t* from, KQuantBlock& to) {
  switch (layout.dtype) {
    case DType::Q2_K:
      return read_q2(from, to);
    case DType::Q3_K:
      return read_q3(from, to);
    case DType::Q6_K:
      return read_q6(from, to);
    case DType::IQ4_XS:
      return read_iq4(from, to);
    default:
      assert(layout.dtype == DType::Q4_K || layout.dtype == DType::Q5_K);
      return read_q4_or_q5(from, layout.dtype == DType::Q5_K, to);
  }
}

}  // namespace ambry::kernels
