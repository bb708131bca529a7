#include "tensor/codec/stream_encoder.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/half.h"
#include "tensor/codec/codes/codes.h"
#include "tensor/codec/codes/scaled_codes.h"
#include "tensor/dtype/convert.h"

namespace ambry::tensor {
namespace {

// One of `values`, the first of which is element `first`.
Failure not_finite(std::span<const float> values, uint64_t first) {
  const auto bad = std::ranges::find_if_not(values, [](float v) { return std::isfinite(v); });
  return make_error(ErrorCode::BadValue,
                    {"element ", first + static_cast<uint64_t>(bad - values.begin())},
                    "a weight is NaN or infinite and cannot be quantized");
}

Failure scale_misfit(uint64_t block) {
  return make_error(ErrorCode::Overflow, "scale_type",
                    {"the scale of block ", block, " does not fit into f16"});
}

}  // namespace

Result<StreamEncoder> StreamEncoder::create(DType dtype, const Shape& shape, uint16_t block_size,
                                            std::optional<DType> scale_type) {
  StreamEncoder encoder;
  encoder.dtype_ = dtype;
  encoder.chosen_scale_type_ = scale_type;
  encoder.quantization_.block_size = block_size;
  encoder.quantization_.scale_type = scale_type.value_or(DType::F16);
  AMBRY_TRY(encoder.layout_, payload_layout(dtype, shape, encoder.quantization_));
  encoder.n_elements_ = encoder.layout_.rows * encoder.layout_.cols;
  return encoder;
}

size_t StreamEncoder::run_length(size_t n) const {
  uint64_t length = std::min<uint64_t>(n, layout_.block - in_block_);
  if (layout_.blocks_per_row > 0 || codes_per_unit(code_type(dtype_)) > 1) {
    length = std::min(length, layout_.cols - col_);
  }
  return static_cast<size_t>(length);
}

bool StreamEncoder::ends_block(size_t n) const {
  return in_block_ + n == layout_.block || (layout_.blocks_per_row > 0 && ends_row(n));
}

void StreamEncoder::advance(size_t n) {
  const bool next_block = ends_block(n);
  element_ += n;
  in_block_ = next_block ? 0 : in_block_ + n;
  block_ += next_block ? 1 : 0;
  col_ = ends_row(n) ? 0 : col_ + n;
}

void StreamEncoder::restart() { element_ = col_ = block_ = in_block_ = 0; }

Result<void> StreamEncoder::measure(std::span<const float> values) {
  assert(values.size() <= n_elements_ - element_);
  while (!values.empty()) {
    const size_t n = run_length(values.size());
    const float extreme = signed_extreme(values.first(n));
    if (!std::isfinite(extreme)) return not_finite(values.first(n), element_);
    if (std::abs(extreme) > std::abs(extreme_)) extreme_ = extreme;
    if (ends_block(n)) end_measured_block();
    advance(n);
    values = values.subspan(n);
  }
  return {};
}

void StreamEncoder::end_measured_block() {
  if (!by_block()) {
    scales_.push_back(extreme_);
  } else if (fit_half_ && !fits_half(ideal_scale(code_type(dtype_), extreme_))) {
    fit_half_ = false;
    misfit_ = block_;
  }
  extreme_ = 0;
}

Result<void> StreamEncoder::settle(std::span<const DType> precisions) {
  assert(element_ == n_elements_ || (element_ == 0 && !needs_measuring()));
  AMBRY_RETURN_IF_ERROR(settle_mask(precisions));
  AMBRY_RETURN_IF_ERROR(settle_scales());
  const auto prefix = quant_prefix(dtype_, quantization_);
  out_.assign(prefix.begin(), prefix.end());
  out_.insert(out_.end(), mask_.begin(), mask_.end());
  for (float& scale : scales_) scale = put_scale(scale);
  head_ = std::move(out_);
  out_.clear();
  total_bytes_ = layout_.min_bytes;
  if (dtype_ == DType::Adaptive) {
    AMBRY_TRY(total_bytes_, adaptive_bytes(layout_, mask_, layout_.mask_at));
  }
  restart();
  return {};
}

Result<void> StreamEncoder::settle_mask(std::span<const DType> precisions) {
  const auto refused = [&] {
    return make_error(
        ErrorCode::BadValue, "precisions",
        {"not one of f16, int8, int4, int5 for each of the ", layout_.n_mask, " blocks"});
  };
  if (precisions.size() != layout_.n_mask) return refused();
  mask_.reserve(precisions.size());
  for (const DType code : precisions) {
    const auto* known = std::ranges::find(kMaskCodes, code, &MaskCode::code);
    if (known == kMaskCodes.end()) return refused();
    mask_.push_back(known->byte);
  }
  return {};
}

// Turns extremes into scales and settles in which type they are stored.
Result<void> StreamEncoder::settle_scales() {
  for (size_t i = 0; i < scales_.size(); ++i) {
    scales_[i] = ideal_scale(mask_.empty() ? dtype_ : *mask_code(mask_[i]), scales_[i]);
    if (!fit_half_ || fits_half(scales_[i])) continue;
    fit_half_ = false;
    misfit_ = i;
  }
  if (fit_half_ || chosen_scale_type_ == DType::F32) return {};
  if (chosen_scale_type_) return scale_misfit(misfit_);
  quantization_.scale_type = DType::F32;
  Shape flat{layout_.rows, layout_.cols};
  AMBRY_TRY(layout_, payload_layout(dtype_, flat, quantization_));
  return {};
}

uint8_t* StreamEncoder::grow(uint64_t n) {
  const size_t at = out_.size();
  out_.resize(at + static_cast<size_t>(n));
  return out_.data() + at;
}

// Returns the scale as a reader will see it.
float StreamEncoder::put_scale(float scale) {
  uint8_t* const to = grow(layout_.scale_bytes);
  if (layout_.scale_bytes == sizeof(float)) {
    store_le(to, scale);
    return scale;
  }
  const uint16_t bits = f32_to_f16(scale);
  store_le(to, bits);
  return f16_to_f32(bits);
}

Result<Bytes> StreamEncoder::encode(std::span<const float> values) {
  assert(values.size() <= n_elements_ - element_);
  out_.clear();
  while (!values.empty()) {
    const size_t n = run_length(values.size());
    const std::span<const float> run = values.first(n);
    const DType code = mask_.empty() ? dtype_ : *mask_code(mask_[static_cast<size_t>(block_)]);
    if (by_block()) {
      AMBRY_RETURN_IF_ERROR(encode_block(run));
    } else if (code == DType::F16) {
      AMBRY_RETURN_IF_ERROR(encode_halves(run));
    } else {
      encode_codes(code, run);
    }
    advance(n);
    values = values.subspan(n);
  }
  return Bytes(out_);
}

// Where scales lie between the codes, the block must be whole before its scale is known.
Result<void> StreamEncoder::encode_block(std::span<const float> values) {
  const bool whole = ends_block(values.size());
  const size_t n_held = held_.size();
  if (n_held > 0 || !whole) held_.insert(held_.end(), values.begin(), values.end());
  if (!whole) return {};
  const std::span<const float> block = n_held > 0 ? std::span<const float>(held_) : values;
  const DType code = code_type(dtype_);
  const float extreme = signed_extreme(block);
  if (!std::isfinite(extreme)) return not_finite(block, element_ - n_held);
  const float ideal = ideal_scale(code, extreme);
  if (layout_.scale_bytes == sizeof(uint16_t) && !fits_half(ideal)) return scale_misfit(block_);
  const float scale = put_scale(ideal);
  const auto stored = static_cast<size_t>(layout_.block);
  codes_.resize(stored);
  quantize_codes(code, block, scale, codes_.data());
  // The last block of a row may be short; it is stored at full length.
  std::fill(codes_.begin() + static_cast<std::ptrdiff_t>(block.size()), codes_.end(), int8_t{0});
  pack_codes(code, codes_.data(), stored, grow(code_bytes(code, stored)));
  held_.clear();
  return {};
}

// Codes whose scales came before: rows of INT8, INT4 and INT5, blocks of ADAPTIVE.
void StreamEncoder::encode_codes(DType code, std::span<const float> values) {
  const bool adaptive = dtype_ == DType::Adaptive;
  const bool last = adaptive ? ends_block(values.size()) : ends_row(values.size());
  const uint64_t missing = adaptive && last ? layout_.block - in_block_ - values.size() : 0;
  codes_.resize(n_codes_ + values.size() + static_cast<size_t>(missing));
  const float scale = scales_[static_cast<size_t>(block_)];
  quantize_codes(code, values, scale, codes_.data() + n_codes_);
  std::fill(codes_.end() - static_cast<std::ptrdiff_t>(missing), codes_.end(), int8_t{0});
  const size_t per_unit = codes_per_unit(code);
  const size_t n = last ? codes_.size() : codes_.size() / per_unit * per_unit;
  pack_codes(code, codes_.data(), n, grow(code_bytes(code, n)));
  std::copy(codes_.begin() + static_cast<std::ptrdiff_t>(n), codes_.end(), codes_.begin());
  n_codes_ = codes_.size() - n;
}

Result<void> StreamEncoder::encode_halves(std::span<const float> values) {
  const uint64_t missing =
      ends_block(values.size()) ? layout_.block - in_block_ - values.size() : 0;
  const size_t bytes = values.size() * sizeof(uint16_t);
  uint8_t* const to = grow(bytes + missing * sizeof(uint16_t));
  auto stored = from_f32(DType::F16, values, {to, bytes});
  if (stored) return {};
  const auto fits = [](float v) { return std::isfinite(f16_to_f32(f32_to_f16(v))); };
  const auto bad = std::ranges::find_if_not(values, fits);
  return make_error(ErrorCode::Overflow,
                    {"element ", element_ + static_cast<uint64_t>(bad - values.begin())},
                    "the value does not fit into f16");
}

}  // namespace ambry::tensor
