// Blocks of 256 numbers in groups of 16 or 32. A group has an integer scale, which an f16 of the
// block multiplies.
#include "tensor/codec/blocks/block_decoders.h"
#include "tensor/codec/blocks/k_scales.h"

namespace ambry::tensor {
namespace {

// Where the packed scales begin in a block of Q4_K and Q5_K.
constexpr size_t kScalesAt = 4;

float product(float scale, int factor) { return scale * static_cast<float>(factor); }

}  // namespace

void decode_q2_k(const uint8_t* block, float* out) {
  const uint8_t* codes = block + 16;
  const float scale = half_at(block + 80);
  const float minimum = half_at(block + 82);
  for (size_t group = 0; group < 16; ++group, out += 16) {
    const float step = product(scale, block[group] & 15);
    const float offset = product(minimum, block[group] >> 4);
    // Each 32 bytes hold eight groups: two for each pair of bits.
    const uint8_t* from = codes + group / 8 * 32 + group % 2 * 16;
    const size_t shift = group % 8 / 2 * 2;
    for (size_t i = 0; i < 16; ++i) {
      out[i] = step * static_cast<float>(from[i] >> shift & 3) - offset;
    }
  }
}

void decode_q3_k(const uint8_t* block, float* out) {
  const uint8_t* codes = block + 32;
  const float scale = half_at(block + 108);
  for (size_t group = 0; group < 16; ++group, out += 16) {
    const float step = product(scale, unpack_q3_k_scale(block + 96, group));
    const uint8_t* from = codes + group / 8 * 32 + group % 2 * 16;
    const uint8_t* third = block + group % 2 * 16;  // bits, one for each pair of groups
    const size_t shift = group % 8 / 2 * 2;
    const size_t bit = group / 2;
    for (size_t i = 0; i < 16; ++i) {
      const int code = (from[i] >> shift & 3) | (third[i] >> bit & 1) << 2;
      out[i] = step * static_cast<float>(code - 4);
    }
  }
}

void decode_q4_k(const uint8_t* block, float* out) {
  const float scale = half_at(block);
  const float minimum = half_at(block + 2);
  const uint8_t* codes = block + 16;
  for (size_t group = 0; group < 8; ++group, out += 32) {
    const KScale by = unpack_k_scale(block + kScalesAt, group);
    const float step = product(scale, by.scale);
    const float offset = product(minimum, by.minimum);
    const uint8_t* from = codes + group / 2 * 32;
    const size_t shift = group % 2 * 4;
    for (size_t i = 0; i < 32; ++i) {
      out[i] = step * static_cast<float>(from[i] >> shift & 15) - offset;
    }
  }
}

void decode_q5_k(const uint8_t* block, float* out) {
  const float scale = half_at(block);
  const float minimum = half_at(block + 2);
  const uint8_t* fifth = block + 16;  // bit g of byte i: group g, number i
  const uint8_t* codes = block + 48;
  for (size_t group = 0; group < 8; ++group, out += 32) {
    const KScale by = unpack_k_scale(block + kScalesAt, group);
    const float step = product(scale, by.scale);
    const float offset = product(minimum, by.minimum);
    const uint8_t* from = codes + group / 2 * 32;
    const size_t shift = group % 2 * 4;
    for (size_t i = 0; i < 32; ++i) {
      const int code = (from[i] >> shift & 15) | (fifth[i] >> group & 1) << 4;
      out[i] = step * static_cast<float>(code) - offset;
    }
  }
}

void decode_q6_k(const uint8_t* block, float* out) {
  const uint8_t* scales = block + 192;
  const float scale = half_at(block + 208);
  for (size_t run = 0; run < 8; ++run, out += 32) {
    const uint8_t* low = block + run / 4 * 64 + run % 2 * 32;
    const uint8_t* high = block + 128 + run / 4 * 32;
    const size_t low_shift = run % 4 / 2 * 4;
    const size_t high_shift = run % 4 * 2;
    for (size_t half = 0; half < 2; ++half) {
      const float step = product(scale, static_cast<int8_t>(scales[run * 2 + half]));
      for (size_t i = half * 16; i < half * 16 + 16; ++i) {
        const int code = (low[i] >> low_shift & 15) | (high[i] >> high_shift & 3) << 4;
        out[i] = step * static_cast<float>(code - 32);
      }
    }
  }
}

// The sums of 16 codes each, which follow the codes, are for products.
void decode_q8_k(const uint8_t* block, float* out) {
  const auto scale = load_le<float>(block);
  for (size_t i = 0; i < 256; ++i) {
    out[i] = scale * static_cast<float>(static_cast<int8_t>(block[4 + i]));
  }
}

}  // namespace ambry::tensor
