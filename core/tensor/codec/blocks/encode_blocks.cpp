#include "tensor/codec/blocks/encode_blocks.h"

#include <algorithm>
#include <cmath>

#include "tensor/codec/blocks/block_encoders.h"

namespace ambry::tensor {
namespace {

EncodeBlock* encoder_of(DType dtype) {
  switch (dtype) {
    case DType::Q8_0:
      return encode_q8_0;
    case DType::Q2_K:
      return encode_q2_k;
    case DType::Q3_K:
      return encode_q3_k;
    case DType::Q4_K:
      return encode_q4_k;
    case DType::Q5_K:
      return encode_q5_k;
    case DType::Q6_K:
      return encode_q6_k;
    default:
      return nullptr;
  }
}

Failure too_large(DType dtype, std::span<const float> block, size_t first) {
  const auto largest =
      std::ranges::max_element(block, {}, [](float value) { return std::abs(value); });
  return make_error(ErrorCode::BadValue,
                    {"values[", first + static_cast<size_t>(largest - block.begin()), "]"},
                    {"too large for ", dtype_name(dtype), ", whose scales are f16"});
}

}  // namespace

bool can_encode_blocks(DType dtype) { return encoder_of(dtype) != nullptr; }

Result<void> encode_blocks(DType dtype, std::span<const float> values, MutableBytes out,
                           std::span<const float> importance) {
  EncodeBlock* const encode = encoder_of(dtype);
  if (encode == nullptr) {
    return make_error(ErrorCode::Unsupported, "dtype",
                      {"floats cannot be stored as ", dtype_name(dtype)});
  }
  const Block block = block_of(dtype);
  if (values.size() % block.elements != 0 || out.size() % block.bytes != 0 ||
      values.size() / block.elements != out.size() / block.bytes) {
    return make_error(
        ErrorCode::Mismatch, "bytes",
        {out.size(), " bytes for ", values.size(), " elements of ", dtype_name(dtype)});
  }
  if (!importance.empty() && importance.size() % block.elements != 0) {
    return make_error(ErrorCode::Mismatch, "importance",
                      {importance.size(), " columns are no whole blocks of ", block.elements});
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    return make_error(ErrorCode::BadValue, {"values[", i, "]"}, "not a finite number");
  }
  for (size_t at = 0, to = 0; at < values.size(); at += block.elements, to += block.bytes) {
    const float* const counts =
        importance.empty() ? nullptr : importance.data() + at % importance.size();
    if (!encode(values.data() + at, counts, out.data() + to)) {
      return too_large(dtype, values.subspan(at, block.elements), at);
    }
  }
  return {};
}

}  // namespace ambry::tensor
