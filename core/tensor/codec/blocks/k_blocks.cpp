// Blocks of 256 numbers in groups of 16 or 32. A group has an integer scale, which an f16 of the
// block multiplies.
#include "tensor/codec/blocks/block_decoders.h"
#include "tensor/codec/blocks/k_quant_blocks.h"
#include "tensor/codec/codes/int4_table.h"

namespace ambry::tensor {
namespace {

// (d * scale) * code - dmin * minimum.
template <DType kType, size_t kGroup>
void decode_with_minima(const uint8_t* from, float* out) {
  KQuantBlock block;
  read_k_quant_block(kType, from, block);
  const float d = f16_to_f32(block.d);
  const float dmin = f16_to_f32(block.dmin);
  const uint8_t* codes = block.codes.data();
  for (size_t g = 0; g < kSuperBlock / kGroup; ++g, codes += kGroup, out += kGroup) {
    const float step = d * static_cast<float>(block.scales[g]);
    const float offset = dmin * static_cast<float>(block.minima[g]);
    for (size_t i = 0; i < kGroup; ++i) out[i] = step * static_cast<float>(codes[i]) - offset;
  }
}

// (d * scale) * value(code).
template <DType kType, size_t kGroup, class Value>
void decode_signed(const uint8_t* from, float* out, Value value) {
  KQuantBlock block;
  read_k_quant_block(kType, from, block);
  const float d = f16_to_f32(block.d);
  const uint8_t* codes = block.codes.data();
  for (size_t g = 0; g < kSuperBlock / kGroup; ++g, codes += kGroup, out += kGroup) {
    const float step = d * static_cast<float>(block.scales[g]);
    for (size_t i = 0; i < kGroup; ++i) out[i] = step * static_cast<float>(value(codes[i]));
  }
}

}  // namespace

void decode_q2_k(const uint8_t* block, float* out) {
  decode_with_minima<DType::Q2_K, 16>(block, out);
}

void decode_q3_k(const uint8_t* block, float* out) {
  decode_signed<DType::Q3_K, 16>(block, out, [](int code) { return code - 4; });
}

void decode_q4_k(const uint8_t* block, float* out) {
  decode_with_minima<DType::Q4_K, 32>(block, out);
}

void decode_q5_k(const uint8_t* block, float* out) {
  decode_with_minima<DType::Q5_K, 32>(block, out);
}

void decode_q6_k(const uint8_t* block, float* out) {
  decode_signed<DType::Q6_K, 16>(block, out, [](int code) { return code - 32; });
}

void decode_iq4_xs(const uint8_t* block, float* out) {
  decode_signed<DType::IQ4_XS, 32>(block, out, [](uint8_t code) { return kInt4Table[code]; });
}

// The sums of 16 codes each, which follow the codes, are for products.
void decode_q8_k(const uint8_t* block, float* out) {
  const auto scale = load_le<float>(block);
  for (size_t i = 0; i < 256; ++i) {
    out[i] = scale * static_cast<float>(static_cast<int8_t>(block[4 + i]));
  }
}

}  // namespace ambry::tensor
