// Blocks of 32 numbers: an f16 scale, for some types an f16 minimum, and codes of 4, 5 or 8 bits.
#include "tensor/codec/blocks/block_decoders.h"

namespace ambry::tensor {
namespace {

constexpr size_t kBlock = 32;
constexpr size_t kHalfBlock = kBlock / 2;

// `fifth`: the bits above the four of each code, that of number i at bit i; 0 without them.
// `value(code)` makes a number; numbers 0 to 15 have the low halves of the bytes, the rest the
// high.
template <class Value>
void decode_nibbles(const uint8_t* codes, uint32_t fifth, float* out, const Value& value) {
  for (size_t i = 0; i < kHalfBlock; ++i) {
    const uint32_t code = codes[i];
    const uint32_t low = fifth >> i & 1U;
    const uint32_t high = fifth >> (i + kHalfBlock) & 1U;
    out[i] = value(static_cast<int>((code & 15U) | low << 4U));
    out[i + kHalfBlock] = value(static_cast<int>(code >> 4U | high << 4U));
  }
}

void decode_bytes(const uint8_t* codes, float scale, float* out) {
  for (size_t i = 0; i < kBlock; ++i) {
    out[i] = static_cast<float>(static_cast<int8_t>(codes[i])) * scale;
  }
}

}  // namespace

void decode_q4_0(const uint8_t* block, float* out) {
  const float scale = half_at(block);
  decode_nibbles(block + 2, 0, out, [=](int code) { return static_cast<float>(code - 8) * scale; });
}

void decode_q4_1(const uint8_t* block, float* out) {
  const float scale = half_at(block);
  const float minimum = half_at(block + 2);
  decode_nibbles(block + 4, 0, out,
                 [=](int code) { return static_cast<float>(code) * scale + minimum; });
}

void decode_q5_0(const uint8_t* block, float* out) {
  const float scale = half_at(block);
  decode_nibbles(block + 6, load_le<uint32_t>(block + 2), out,
                 [=](int code) { return static_cast<float>(code - 16) * scale; });
}

void decode_q5_1(const uint8_t* block, float* out) {
  const float scale = half_at(block);
  const float minimum = half_at(block + 2);
  decode_nibbles(block + 8, load_le<uint32_t>(block + 4), out,
                 [=](int code) { return static_cast<float>(code) * scale + minimum; });
}

void decode_q8_0(const uint8_t* block, float* out) { decode_bytes(block + 2, half_at(block), out); }

// The second half number of a block is the scale times the sum of the codes, which products use.
void decode_q8_1(const uint8_t* block, float* out) { decode_bytes(block + 4, half_at(block), out); }

}  // namespace ambry::tensor
