#include "tensor/encode.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/half.h"
#include "tensor/codes.h"
#include "tensor/convert.h"

namespace ambry::tensor {
namespace {

// The smallest and largest code that a writer makes, and by what the extreme element is divided.
struct CodeRange {
  int low;
  int high;
  bool signed_extreme;
};

CodeRange range_of(DType code) {
  if (code == DType::Int4) return {-8, 7, true};
  if (code == DType::Int5) return {-16, 15, true};
  return {-127, 127, false};
}

uint8_t disk_code(DType dtype) {
  return static_cast<uint8_t>(3 + static_cast<int>(dtype) - static_cast<int>(DType::Int8));
}

// 0 for zeros only.
float ideal_scale(DType code, std::span<const float> block) {
  float extreme = 0;
  for (const float value : block) {
    if (std::abs(value) > std::abs(extreme)) extreme = value;
  }
  if (extreme == 0) return 0;
  const CodeRange range = range_of(code);
  if (!range.signed_extreme) extreme = std::abs(extreme);
  const int divisor = range.signed_extreme ? range.low : range.high;
  const float scale = extreme / static_cast<float>(divisor);
  // Below the smallest subnormal times the divisor the scale would vanish although the block is not
  // zero.
  return scale == 0 ? std::copysign(extreme, scale) : scale;
}

bool fits_half(float scale) {
  const uint16_t bits = f32_to_f16(scale) & 0x7FFFU;
  return scale == 0 || (bits != 0 && bits < 0x7C00U);
}

class Encoder {
 public:
  Encoder(DType dtype, const PayloadLayout& layout, std::span<const float> values,
          const EncodeOptions& options)
      : dtype_(dtype), layout_(layout), values_(values), options_(options) {}

  // Of every block, before they are rounded to their stored type.
  [[nodiscard]] std::vector<float> scales() const {
    std::vector<float> scales(n_blocks());
    for (size_t i = 0; i < scales.size(); ++i) {
      scales[i] = code_of(i) == DType::F16 ? 1.0F : ideal_scale(code_of(i), block(i));
    }
    return scales;
  }

  Result<std::vector<uint8_t>> payload(std::span<const float> scales, DType scale_type);

 private:
  [[nodiscard]] size_t n_blocks() const {
    return static_cast<size_t>(layout_.blocks_per_row == 0 ? 1
                                                           : layout_.rows * layout_.blocks_per_row);
  }
  [[nodiscard]] DType code_of(size_t block) const {
    return dtype_ == DType::Adaptive ? options_.precisions[block] : code_type(dtype_);
  }
  [[nodiscard]] std::span<const float> block(size_t i) const {
    if (layout_.blocks_per_row == 0) return values_;
    const uint64_t row = i / layout_.blocks_per_row;
    const uint64_t col = i % layout_.blocks_per_row * layout_.block;
    const uint64_t n = std::min(layout_.block, layout_.cols - col);
    return values_.subspan(static_cast<size_t>(row * layout_.cols + col), static_cast<size_t>(n));
  }

  void put(Bytes bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }
  // Puts the scale and returns it as a reader will see it.
  float put_scale(float scale, DType scale_type);
  void quantize(DType code, std::span<const float> from, float scale, int8_t* to) const;
  void put_codes(DType code, std::span<const int8_t> codes);
  void put_rows(std::span<const float> stored);
  void put_block(size_t i, float scale);
  Result<void> put_halves(size_t i);

  DType dtype_;
  const PayloadLayout& layout_;
  std::span<const float> values_;
  const EncodeOptions& options_;
  std::vector<uint8_t> out_;
};

float Encoder::put_scale(float scale, DType scale_type) {
  if (scale_type == DType::F32) {
    put(bytes_of(std::span<const float>(&scale, 1)));
    return scale;
  }
  const uint16_t bits = f32_to_f16(scale);
  put(bytes_of(std::span<const uint16_t>(&bits, 1)));
  return f16_to_f32(bits);
}

void Encoder::quantize(DType code, std::span<const float> from, float scale, int8_t* to) const {
  const CodeRange range = range_of(code);
  for (const float value : from) {
    // Doubles, because the quotient of subnormal floats would round twice.
    const double quotient =
        scale == 0 ? 0.0 : std::nearbyint(static_cast<double>(value) / static_cast<double>(scale));
    *to++ = static_cast<int8_t>(
        std::clamp(quotient, static_cast<double>(range.low), static_cast<double>(range.high)));
  }
}

void Encoder::put_codes(DType code, std::span<const int8_t> codes) {
  const size_t at = out_.size();
  out_.resize(at + static_cast<size_t>(code_bytes(code, codes.size())));
  pack_codes(code, codes.data(), codes.size(), out_.data() + at);
}

// INT8, INT4, INT5: all scales came before; every row starts on a byte.
void Encoder::put_rows(std::span<const float> stored) {
  const auto cols = static_cast<size_t>(layout_.cols);
  std::vector<int8_t> codes(cols);
  for (size_t row = 0; row < layout_.rows; ++row) {
    const std::span<const float> from = values_.subspan(row * cols, cols);
    if (layout_.blocks_per_row == 0) {
      quantize(dtype_, from, stored[0], codes.data());
    } else {
      const auto length = static_cast<size_t>(layout_.block);
      size_t block = row * static_cast<size_t>(layout_.blocks_per_row);
      for (size_t col = 0; col < cols; col += length, ++block) {
        quantize(dtype_, from.subspan(col, std::min(length, cols - col)), stored[block],
                 codes.data() + col);
      }
    }
    put_codes(dtype_, codes);
  }
}

void Encoder::put_block(size_t i, float scale) {
  std::vector<int8_t> codes(static_cast<size_t>(layout_.block));  // a short block ends in zeros
  quantize(code_of(i), block(i), scale, codes.data());
  put_codes(code_of(i), codes);
}

Result<void> Encoder::put_halves(size_t i) {
  const std::span<const float> values = block(i);
  const size_t at = out_.size();
  out_.resize(at + static_cast<size_t>(code_bytes(DType::F16, layout_.block)));
  return from_f32(DType::F16, values, MutableBytes(out_).subspan(at, values.size() * 2));
}

Result<std::vector<uint8_t>> Encoder::payload(std::span<const float> scales, DType scale_type) {
  out_.reserve(static_cast<size_t>(layout_.min_bytes));
  out_ = {disk_code(dtype_), static_cast<uint8_t>(options_.block_size),
          static_cast<uint8_t>(options_.block_size >> 8),
          static_cast<uint8_t>(scale_type == DType::F16 ? 1 : 0)};
  if (layout_.n_scales == 0) {
    for (size_t i = 0; i < scales.size(); ++i) put_block(i, put_scale(scales[i], scale_type));
    return std::move(out_);
  }
  for (const DType code : options_.precisions.first(static_cast<size_t>(layout_.n_mask))) {
    out_.push_back(std::ranges::find(kMaskCodes, code, &MaskCode::code)->byte);
  }
  std::vector<float> stored;
  stored.reserve(scales.size());
  for (const float scale : scales) stored.push_back(put_scale(scale, scale_type));
  if (layout_.n_mask == 0) {
    put_rows(stored);
    return std::move(out_);
  }
  for (size_t i = 0; i < stored.size(); ++i) {
    if (code_of(i) == DType::F16) {
      AMBRY_CHECK(put_halves(i));
    } else {
      put_block(i, stored[i]);
    }
  }
  return std::move(out_);
}

Result<void> check_input(std::span<const float> values, const PayloadLayout& layout,
                         const EncodeOptions& options) {
  const auto bad = std::ranges::find_if_not(values, [](float v) { return std::isfinite(v); });
  if (bad != values.end()) {
    return make_error(ErrorCode::BadValue, {"element ", static_cast<size_t>(bad - values.begin())},
                      "a weight is NaN or infinite and cannot be quantised");
  }
  const auto is_precision = [](DType code) {
    return std::ranges::find(kMaskCodes, code, &MaskCode::code) != kMaskCodes.end();
  };
  if (options.precisions.size() == layout.n_mask &&
      std::ranges::all_of(options.precisions, is_precision)) {
    return {};
  }
  return make_error(
      ErrorCode::BadValue, "precisions",
      {"not one of f16, int8, int4, int5 for each of the ", layout.n_mask, " blocks"});
}

}  // namespace

Result<Encoded> encode(DType dtype, const Shape& shape, std::span<const float> values,
                       const EncodeOptions& options) {
  Encoded encoded;
  encoded.quantization.block_size = options.block_size;
  encoded.quantization.scale_type = options.scale_type.value_or(DType::F16);
  AMBRY_TRY(PayloadLayout layout, payload_layout(dtype, shape, encoded.quantization));
  assert(values.size() == layout.rows * layout.cols);
  AMBRY_CHECK(check_input(values, layout, options));
  Encoder encoder(dtype, layout, values, options);
  const std::vector<float> scales = encoder.scales();
  if (encoded.quantization.scale_type == DType::F16 && !std::ranges::all_of(scales, fits_half)) {
    if (options.scale_type) {
      return make_error(ErrorCode::Overflow, "scale_type", "a scale does not fit into f16");
    }
    encoded.quantization.scale_type = DType::F32;
    AMBRY_TRY(layout, payload_layout(dtype, shape, encoded.quantization));
  }
  AMBRY_TRY(encoded.payload, encoder.payload(scales, encoded.quantization.scale_type));
  return encoded;
}

}  // namespace ambry::tensor
