#include "tensor/codec/blocks/blocks.h"

#include <cmath>
#include <cstddef>

#include "base/half.h"
#include "tensor/codec/blocks/block_decoders.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::tensor {
namespace {

struct BlockReader {
  void (*decode)(Bytes bytes, std::span<float> out) = nullptr;
  // Whether the scales of a block are finite.
  bool (*is_finite)(const uint8_t* block) = nullptr;
};

// `n` halves from byte `at` on.
template <size_t at, size_t n = 1>
bool halves_finite(const uint8_t* block) {
  for (size_t i = 0; i < n; ++i) {
    if (!std::isfinite(half_at(block + at + i * 2))) return false;
  }
  return true;
}

bool iq1_m_finite(const uint8_t* block) { return std::isfinite(f16_to_f32(iq1_m_half(block))); }

bool float_finite(const uint8_t* block) { return std::isfinite(load_le<float>(block)); }

// From 253 on the largest code times the scale is infinite.
bool e8m0_finite(const uint8_t* block) { return block[0] < 253; }

bool always_finite(const uint8_t* /*block*/) { return true; }

template <DType dtype, DecodeBlock decode>
constexpr BlockReader reader(bool (*is_finite)(const uint8_t*)) {
  return {[](Bytes bytes, std::span<float> out) {
            constexpr Block kBlock = dtype_column<&DTypeRow::block>(dtype);
            const uint8_t* block = bytes.data();
            for (size_t at = 0; at < out.size(); at += kBlock.elements, block += kBlock.bytes) {
              decode(block, out.data() + at);
            }
          },
          is_finite};
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

template <float (*decode)(uint8_t)>
void decode_floats(const uint8_t* block, float* out) {
  *out = decode(*block);
}

BlockReader reader_of(DType dtype) {
  switch (dtype) {
    case DType::Q4_0:
      return reader<DType::Q4_0, decode_q4_0>(halves_finite<0>);
    case DType::Q4_1:
      return reader<DType::Q4_1, decode_q4_1>(halves_finite<0, 2>);
    case DType::Q5_0:
      return reader<DType::Q5_0, decode_q5_0>(halves_finite<0>);
    case DType::Q5_1:
      return reader<DType::Q5_1, decode_q5_1>(halves_finite<0, 2>);
    case DType::Q8_0:
      return reader<DType::Q8_0, decode_q8_0>(halves_finite<0>);
    case DType::Q8_1:
      return reader<DType::Q8_1, decode_q8_1>(halves_finite<0>);
    case DType::Q2_K:
      return reader<DType::Q2_K, decode_q2_k>(halves_finite<80, 2>);
    case DType::Q3_K:
      return reader<DType::Q3_K, decode_q3_k>(halves_finite<108>);
    case DType::Q4_K:
      return reader<DType::Q4_K, decode_q4_k>(halves_finite<0, 2>);
    case DType::Q5_K:
      return reader<DType::Q5_K, decode_q5_k>(halves_finite<0, 2>);
    case DType::Q6_K:
      return reader<DType::Q6_K, decode_q6_k>(halves_finite<208>);
    case DType::Q8_K:
      return reader<DType::Q8_K, decode_q8_k>(float_finite);
    case DType::IQ4_NL:
      return reader<DType::IQ4_NL, decode_iq4_nl>(halves_finite<0>);
    case DType::IQ4_XS:
      return reader<DType::IQ4_XS, decode_iq4_xs>(halves_finite<0>);
    case DType::IQ1_S:
      return reader<DType::IQ1_S, decode_iq1_s>(halves_finite<0>);
    case DType::IQ2_XXS:
      return reader<DType::IQ2_XXS, decode_iq2_xxs>(halves_finite<0>);
    case DType::IQ2_XS:
      return reader<DType::IQ2_XS, decode_iq2_xs>(halves_finite<0>);
    case DType::IQ2_S:
      return reader<DType::IQ2_S, decode_iq2_s>(halves_finite<0>);
    case DType::IQ3_XXS:
      return reader<DType::IQ3_XXS, decode_iq3_xxs>(halves_finite<0>);
    case DType::IQ3_S:
      return reader<DType::IQ3_S, decode_iq3_s>(halves_finite<0>);
    case DType::IQ1_M:
      return reader<DType::IQ1_M, decode_iq1_m>(iq1_m_finite);
    case DType::MXFP4:
      return reader<DType::MXFP4, decode_mxfp4>(e8m0_finite);
    case DType::NVFP4:
      return reader<DType::NVFP4, decode_nvfp4>(always_finite);
    case DType::Q1_0:
      return reader<DType::Q1_0, decode_q1_0>(halves_finite<0>);
    case DType::Q2_0:
      return reader<DType::Q2_0, decode_q2_0>(halves_finite<0>);
    case DType::TQ1_0:
      return reader<DType::TQ1_0, decode_tq1_0>(halves_finite<52>);
    case DType::TQ2_0:
      return reader<DType::TQ2_0, decode_tq2_0>(halves_finite<64>);
    case DType::F8E4M3:
      return reader<DType::F8E4M3, decode_floats<f8_e4m3>>(always_finite);
    case DType::F8E5M2:
      return reader<DType::F8E5M2, decode_floats<f8_e5m2>>(always_finite);
    default:
      return {};
  }
}

}  // namespace

bool can_decode_blocks(DType dtype) { return reader_of(dtype).decode != nullptr; }

bool can_run_blocks(DType dtype) {
  return dtype_column<&DTypeRow::gguf>(dtype).has_value() && can_decode_blocks(dtype);
}

Result<void> decode_blocks(DType dtype, Bytes bytes, std::span<float> out) {
  const BlockReader reader = reader_of(dtype);
  if (reader.decode == nullptr) {
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
  reader.decode(bytes, out);
  return {};
}

Result<void> check_block_scales(DType dtype, Bytes blocks) {
  const BlockReader reader = reader_of(dtype);
  const size_t size = block_of(dtype).bytes;
  for (size_t i = 0; i < blocks.size() / size; ++i) {
    if (!reader.is_finite(blocks.data() + i * size)) {
      return make_error(ErrorCode::BadValue, {"scales[", i, "]"}, "not a finite number");
    }
  }
  return {};
}

}  // namespace ambry::tensor
