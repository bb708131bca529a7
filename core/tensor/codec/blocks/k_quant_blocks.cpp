#include "tensor/codec/blocks/k_quant_blocks.h"

#include <cassert>

#include "base/bytes.h"

namespace ambry::tensor {
namespace {

uint16_t half_bits(const uint8_t* from) { return load_le<uint16_t>(from); }

// 6 bits as a signed number, stored too large by 32.
int8_t signed_six(uint32_t low, uint32_t high) {
  return static_cast<int8_t>(static_cast<int>(low | (high & 3U) << 4U) - 32);
}

// Adds fields of `bits` bits to all codes, shifted to the left by `place`. Byte i of each `span`
// has the fields of the values i, span + i, 2 span + i …, the first one lowest.
void add_fields(const uint8_t* from, size_t span, uint32_t bits, uint32_t place, KQuantBlock& to) {
  const uint32_t mask = (1U << bits) - 1;
  uint8_t* const end = to.codes.data() + to.codes.size();
  for (uint8_t* codes = to.codes.data(); codes < end; from += span) {
    for (uint32_t shift = 0; shift < 8; shift += bits, codes += span) {
      for (size_t i = 0; i < span; ++i) {
        codes[i] = static_cast<uint8_t>(codes[i] | (from[i] >> shift & mask) << place);
      }
    }
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
  add_fields(from + 16, 32, 2, 0, to);
  to.d = half_bits(from + 80);
  to.dmin = half_bits(from + 82);
}

void read_q3(const uint8_t* from, KQuantBlock& to) {
  const uint8_t* scales = from + 96;
  for (size_t g = 0; g < 16; ++g) {
    to.scales[g] =
        signed_six(scales[g % 8] >> g / 8 * 4 & 15U, uint32_t{scales[8 + g % 4]} >> g / 4 * 2);
  }
  add_fields(from + 32, 32, 2, 0, to);
  add_fields(from, 32, 1, 2, to);
  to.d = half_bits(from + 108);
}

void read_q4_or_q5(const uint8_t* from, bool fifth, KQuantBlock& to) {
  to.d = half_bits(from);
  to.dmin = half_bits(from + 2);
  read_six_bit_pairs(from + 4, to);
  add_fields(from + (fifth ? 48 : 16), 32, 4, 0, to);
  if (fifth) add_fields(from + 16, 32, 1, 4, to);
}

void read_q6(const uint8_t* from, KQuantBlock& to) {
  add_fields(from, 64, 4, 0, to);
  add_fields(from + 128, 32, 2, 4, to);
  for (size_t g = 0; g < 16; ++g) to.scales[g] = static_cast<int8_t>(from[192 + g]);
  to.d = half_bits(from + 208);
}

void read_iq4(const uint8_t* from, KQuantBlock& to) {
  to.d = half_bits(from);
  const uint32_t high = load_le<uint16_t>(from + 2);
  for (size_t g = 0; g < 8; ++g) {
    to.scales[g] = signed_six(from[4 + g / 2] >> g % 2 * 4 & 15U, high >> 2 * g);
  }
  add_fields(from + 8, 16, 4, 0, to);
}

}  // namespace

void read_k_quant_block(DType dtype, const uint8_t* from, KQuantBlock& to) {
  to.codes.fill(0);
  switch (dtype) {
    case DType::Q2_K:
      return read_q2(from, to);
    case DType::Q3_K:
      return read_q3(from, to);
    case DType::Q6_K:
      return read_q6(from, to);
    case DType::IQ4_XS:
      return read_iq4(from, to);
    default:
      assert(dtype == DType::Q4_K || dtype == DType::Q5_K);
      return read_q4_or_q5(from, dtype == DType::Q5_K, to);
  }
}

}  // namespace ambry::tensor
