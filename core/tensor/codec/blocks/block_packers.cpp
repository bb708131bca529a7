#include "tensor/codec/blocks/block_packers.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "base/bytes.h"

namespace ambry::tensor {
namespace {

void add_bits(uint8_t& byte, uint32_t bits) { byte = static_cast<uint8_t>(byte | bits); }

// Fields of `bits` bits of all codes, from bit `place` of each. Byte i of each `span` gets the
// fields of the values i, span + i, 2 span + i …, the first one lowest.
void put_fields(const KQuantBlock& from, size_t span, uint32_t bits, uint32_t place, uint8_t* to) {
  const uint32_t mask = (1U << bits) - 1;
  const size_t run = span * (8 / bits);
  for (size_t i = 0; i < kSuperBlock; ++i) {
    const size_t in_run = i % run;
    add_bits(to[i / run * span + in_run % span], (from.codes[i] >> place & mask)
                                                     << in_run / span * bits);
  }
}

// Six bits each: of the first four scales and minima the lower bits of a byte, of the others the
// upper two bits beside these.
void put_six_bit_pairs(const KQuantBlock& from, uint8_t* to) {
  for (size_t g = 0; g < 4; ++g) {
    const auto low = static_cast<uint8_t>(from.scales[g]);
    const auto high = static_cast<uint8_t>(from.scales[g + 4]);
    const uint32_t minimum = from.minima[g + 4];
    to[g] = static_cast<uint8_t>(low | (high >> 4U) << 6U);
    to[g + 4] = static_cast<uint8_t>(from.minima[g] | (minimum >> 4U) << 6U);
    to[g + 8] = static_cast<uint8_t>((high & 15U) | (minimum & 15U) << 4U);
  }
}

void write_q2(const KQuantBlock& from, uint8_t* to) {
  for (size_t g = 0; g < 16; ++g) {
    to[g] = static_cast<uint8_t>(static_cast<uint8_t>(from.scales[g]) | from.minima[g] << 4U);
  }
  put_fields(from, 32, 2, 0, to + 16);
  store_le(to + 80, from.d);
  store_le(to + 82, from.dmin);
}

void write_q3(const KQuantBlock& from, uint8_t* to) {
  put_fields(from, 32, 1, 2, to);
  put_fields(from, 32, 2, 0, to + 32);
  for (size_t g = 0; g < 16; ++g) {
    const auto scale = static_cast<uint32_t>(from.scales[g] + 32);
    add_bits(to[96 + g % 8], (scale & 15U) << g / 8 * 4);
    add_bits(to[104 + g % 4], (scale >> 4U) << g / 4 * 2);
  }
  store_le(to + 108, from.d);
}

void write_q4_or_q5(const KQuantBlock& from, bool fifth, uint8_t* to) {
  store_le(to, from.d);
  store_le(to + 2, from.dmin);
  put_six_bit_pairs(from, to + 4);
  put_fields(from, 32, 4, 0, to + (fifth ? 48 : 16));
  if (fifth) put_fields(from, 32, 1, 4, to + 16);
}

void write_q6(const KQuantBlock& from, uint8_t* to) {
  put_fields(from, 64, 4, 0, to);
  put_fields(from, 32, 2, 4, to + 128);
  for (size_t g = 0; g < 16; ++g) to[192 + g] = static_cast<uint8_t>(from.scales[g]);
  store_le(to + 208, from.d);
}

}  // namespace

void write_k_quant_block(DType dtype, const KQuantBlock& from, uint8_t* to) {
  std::fill_n(to, block_of(dtype).bytes, uint8_t{0});
  switch (dtype) {
    case DType::Q2_K:
      return write_q2(from, to);
    case DType::Q3_K:
      return write_q3(from, to);
    case DType::Q6_K:
      return write_q6(from, to);
    default:
      assert(dtype == DType::Q4_K || dtype == DType::Q5_K);
      return write_q4_or_q5(from, dtype == DType::Q5_K, to);
  }
}

}  // namespace ambry::tensor
