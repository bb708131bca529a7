// Blocks of codes with two, three or four values, and one f16 scale.
#include "tensor/codec/blocks/block_decoders.h"

namespace ambry::tensor {
namespace {

// n numbers for each of five digits, the first digit of all bytes first. A byte is a fraction of
// 256 whose digits to the base 3 are the numbers plus 1.
template <size_t n, size_t digits>
float* decode_trits(const uint8_t* bytes, float scale, float* out) {
  uint32_t power = 1;
  for (size_t digit = 0; digit < digits; ++digit, power *= 3, out += n) {
    for (size_t i = 0; i < n; ++i) {
      const uint32_t rest = bytes[i] * power & 255U;
      out[i] = static_cast<float>(static_cast<int>(rest * 3 >> 8U) - 1) * scale;
    }
  }
  return out;
}

}  // namespace

void decode_q1_0(const uint8_t* block, float* out) {
  const float scale = half_at(block);
  for (size_t i = 0; i < 128; ++i) {
    out[i] = (block[2 + i / 8] >> (i % 8) & 1) != 0 ? scale : -scale;
  }
}

void decode_q2_0(const uint8_t* block, float* out) {
  const float scale = half_at(block);
  for (size_t i = 0; i < 64; ++i) {
    out[i] = static_cast<float>((block[2 + i / 4] >> (i % 4 * 2) & 3) - 1) * scale;
  }
}

void decode_tq1_0(const uint8_t* block, float* out) {
  const float scale = half_at(block + 52);
  out = decode_trits<32, 5>(block, scale, out);
  out = decode_trits<16, 5>(block + 32, scale, out);
  decode_trits<4, 4>(block + 48, scale, out);
}

void decode_tq2_0(const uint8_t* block, float* out) {
  const float scale = half_at(block + 64);
  for (size_t run = 0; run < 8; ++run, out += 32) {
    const uint8_t* from = block + run / 4 * 32;
    const size_t shift = run % 4 * 2;
    for (size_t i = 0; i < 32; ++i) {
      out[i] = static_cast<float>((from[i] >> shift & 3) - 1) * scale;
    }
  }
}

}  // namespace ambry::tensor
