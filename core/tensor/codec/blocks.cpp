#include "tensor/codec/blocks.h"

#include <cstddef>

#include "base/half.h"

namespace ambry::tensor {
namespace {

constexpr size_t kBlock = 32;  // elements, of every ggml type decoded here

float half_at(const uint8_t* from) { return f16_to_f32(load_le<uint16_t>(from)); }

// The 4-bit numbers of a block: byte i holds element i below and element i + 16 above.
uint32_t nibble(const uint8_t* packed, size_t i) {
  return i < kBlock / 2 ? packed[i] & 0xFU : packed[i - kBlock / 2] >> 4U;
}

// The fifth bits come first, element i's at bit i.
uint32_t five_bits(const uint8_t* from, size_t i) {
  const uint32_t high = load_le<uint32_t>(from) >> i & 1U;
  return nibble(from + sizeof(uint32_t), i) | high << 4U;
}

// `number(block, i)` is the whole number stored for element i; `minimum` says whether a half behind
// the scale is added.
template <class Number>
void each_block(size_t block_bytes, bool minimum, Bytes bytes, std::span<float> out,
                Number number) {
  const uint8_t* block = bytes.data();
  for (size_t at = 0; at < out.size(); at += kBlock, block += block_bytes) {
    const float scale = half_at(block);
    for (size_t i = 0; i < kBlock; ++i) out[at + i] = static_cast<float>(number(block, i)) * scale;
    if (!minimum) continue;
    const float added = half_at(block + 2);
    for (size_t i = 0; i < kBlock; ++i) out[at + i] += added;
  }
}

void decode_q4_0(size_t size, Bytes bytes, std::span<float> out) {
  each_block(size, false, bytes, out, [](const uint8_t* block, size_t i) {
    return static_cast<int>(nibble(block + 2, i)) - 8;
  });
}

void decode_q4_1(size_t size, Bytes bytes, std::span<float> out) {
  each_block(size, true, bytes, out,
             [](const uint8_t* block, size_t i) { return nibble(block + 4, i); });
}

void decode_q5_0(size_t size, Bytes bytes, std::span<float> out) {
  each_block(size, false, bytes, out, [](const uint8_t* block, size_t i) {
    return static_cast<int>(five_bits(block + 2, i)) - 16;
  });
}

void decode_q5_1(size_t size, Bytes bytes, std::span<float> out) {
  each_block(size, true, bytes, out,
             [](const uint8_t* block, size_t i) { return five_bits(block + 4, i); });
}

void decode_q8_0(size_t size, Bytes bytes, std::span<float> out) {
  each_block(size, false, bytes, out,
             [](const uint8_t* block, size_t i) { return static_cast<int8_t>(block[2 + i]); });
}

// Four bits of exponent with bias 7, three of mantissa, no infinity (the OCP's E4M3).
float f8_e4m3(uint8_t bits) {
  const uint32_t magnitude = bits & 0x7FU;
  // As a half its exponent is too small by 15 - 7; all ones are NaN.
  const float value = magnitude == 0x7FU
                          ? f16_to_f32(0x7E00U)
                          : f16_to_f32(static_cast<uint16_t>(magnitude << 7U)) * 0x1p8F;
  return bits >> 7U != 0 ? -value : value;
}

// The upper byte of a half.
float f8_e5m2(uint8_t bits) { return f16_to_f32(static_cast<uint16_t>(bits << 8U)); }

void decode_bytes(float (*decode)(uint8_t), Bytes bytes, std::span<float> out) {
  for (size_t i = 0; i < out.size(); ++i) out[i] = decode(bytes[i]);
}

using Decoder = void (*)(size_t block_bytes, Bytes bytes, std::span<float> out);

Decoder decoder_of(DType dtype) {
  switch (dtype) {
    case DType::Q4_0:
      return decode_q4_0;
    case DType::Q4_1:
      return decode_q4_1;
    case DType::Q5_0:
      return decode_q5_0;
    case DType::Q5_1:
      return decode_q5_1;
    case DType::Q8_0:
      return decode_q8_0;
    case DType::F8E4M3:
      return [](size_t, Bytes bytes, std::span<float> out) { decode_bytes(f8_e4m3, bytes, out); };
    case DType::F8E5M2:
      return [](size_t, Bytes bytes, std::span<float> out) { decode_bytes(f8_e5m2, bytes, out); };
    default:
      return nullptr;
  }
}

}  // namespace

bool can_decode_blocks(DType dtype) { return decoder_of(dtype) != nullptr; }

Result<void> decode_blocks(DType dtype, Bytes bytes, std::span<float> out) {
  const Decoder decode = decoder_of(dtype);
  if (decode == nullptr) {
    return make_error(ErrorCode::Unsupported, "dtype",
                      {"values of ", dtype_name(dtype), " cannot be read"});
  }
  const Block block = block_of(dtype);
  if (out.size() % block.elements != 0 || bytes.size() % block.bytes != 0 ||
      out.size() / block.elements != bytes.size() / block.bytes) {
    return make_error(
        ErrorCode::Mismatch, "bytes",
        {bytes.size(), " bytes for ", out.size(), " elements of ", dtype_name(dtype)});
  }
  decode(block.bytes, bytes, out);
  return {};
}

}  // namespace ambry::tensor
