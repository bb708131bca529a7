#include "tensor/codec/codes/codec_layout.h"

#include <cassert>

#include "base/checked.h"
#include "base/half.h"

namespace ambry::tensor {
namespace {

// Keeps every product with a number of bits within 64 bits.
constexpr uint64_t kMaxElements = uint64_t{1} << 56;

Result<void> check_block_size(DType dtype, uint16_t block_size) {
  const uint32_t multiple = dtype_column<&DTypeRow::block_multiple>(dtype);
  if (multiple == 0 || (block_size != 0 && block_size % multiple == 0)) return {};
  return make_error(ErrorCode::BadValue, "block_size",
                    {"blocks of ", block_size, "; those of ", dtype_name(dtype),
                     " are a multiple of ", multiple});
}

void place_array(DType dtype, PayloadLayout& layout) {
  layout.n_scales = layout.blocks_per_row == 0 ? 1 : layout.rows * layout.blocks_per_row;
  layout.codes_at = layout.scales_at + layout.n_scales * layout.scale_bytes;
  layout.min_bytes = layout.codes_at + layout.rows * code_bytes(dtype, layout.cols);
  layout.max_bytes = layout.min_bytes;
}

void place_blocks(DType dtype, PayloadLayout& layout) {
  const uint64_t n_blocks = layout.rows * layout.blocks_per_row;
  layout.codes_at = layout.scales_at;
  layout.min_bytes = layout.scales_at +
                     n_blocks * (layout.scale_bytes + code_bytes(code_type(dtype), layout.block));
  layout.max_bytes = layout.min_bytes;
}

void place_adaptive(PayloadLayout& layout) {
  layout.n_mask = layout.rows * layout.blocks_per_row;
  layout.n_scales = layout.n_mask;
  layout.scales_at = layout.mask_at + layout.n_mask;
  layout.codes_at = layout.scales_at + layout.n_scales * layout.scale_bytes;
  layout.min_bytes = layout.codes_at + layout.n_mask * code_bytes(DType::Int4, layout.block);
  layout.max_bytes = layout.codes_at + layout.n_mask * code_bytes(DType::F16, layout.block);
}

}  // namespace

std::array<uint8_t, kQuantPrefixBytes> quant_prefix(DType dtype, const Quantization& quantization) {
  const unsigned scale = *dtype_column<&DTypeRow::amb_scale>(quantization.scale_type);
  return {*dtype_column<&DTypeRow::amb>(dtype), static_cast<uint8_t>(quantization.block_size),
          static_cast<uint8_t>(quantization.block_size >> 8),
          static_cast<uint8_t>(scale | (quantization.minima ? kMinimaFlag : 0U))};
}

Result<PayloadLayout> payload_layout(DType dtype, const Shape& shape,
                                     const Quantization& quantization) {
  assert(!is_plain(dtype));
  if (!dtype_column<&DTypeRow::amb_scale>(quantization.scale_type)) {
    return make_error(ErrorCode::BadValue, "scale_type",
                      {dtype_name(quantization.scale_type), " scales; known are f16 and f32"});
  }
  AMBRY_RETURN_IF_ERROR(check_block_size(dtype, quantization.block_size));
  if (quantization.minima &&
      (quantization.block_size == 0 || arrangement_of(dtype) == Arrangement::Masked)) {
    return make_error(ErrorCode::BadValue, "scale_type",
                      {dtype_name(dtype), quantization.block_size == 0 ? " without blocks" : "",
                       " has no minima beside its scales"});
  }
  const auto count = shape.count();
  if (!count || *count > kMaxElements) {
    return make_error(ErrorCode::Overflow, "shape", "the size passes 64 bits");
  }
  PayloadLayout layout;
  layout.cols = quantization.across_rows ? *count : shape.rank() == 0 ? 1 : shape[shape.rank() - 1];
  layout.rows = layout.cols == 0 ? 0 : *count / layout.cols;
  layout.block = quantization.block_size == 0 ? *count : quantization.block_size;
  // Full-size blocks of short rows may be 65535 times as many elements as the tensor has.
  if (quantization.block_size != 0) {
    layout.blocks_per_row = (layout.cols + layout.block - 1) / layout.block;
    const auto stored = checked_mul(layout.rows * layout.blocks_per_row, layout.block);
    if (!stored || *stored > kMaxElements) {
      return make_error(ErrorCode::Overflow, "shape", "the size passes 64 bits");
    }
  }
  layout.half_scales = quantization.scale_type == DType::F16;
  layout.scale_bytes = dtype_size(quantization.scale_type) * (quantization.minima ? 2 : 1);
  if (quantization.minima) {
    layout.excess = static_cast<float>(1U << (code_bits(code_type(dtype)) - 1));
  }
  layout.mask_at = quantization.prefix_bytes;
  layout.scales_at = layout.mask_at;
  switch (arrangement_of(dtype)) {
    case Arrangement::Masked:
      place_adaptive(layout);
      break;
    case Arrangement::ScaleInBlock:
      place_blocks(dtype, layout);
      break;
    default:
      place_array(dtype, layout);
  }
  return layout;
}

BlockScale read_scale(const PayloadLayout& layout, const uint8_t* from) {
  const auto number = [&](size_t i) {
    return layout.half_scales ? f16_to_f32(load_le<uint16_t>(from + i * sizeof(uint16_t)))
                              : load_le<float>(from + i * sizeof(float));
  };
  return {number(0), layout.excess > 0 ? number(1) : 0.0F, layout.excess};
}

void scale_codes(const BlockScale& by, std::span<float> codes) {
  if (by.excess == 0) {
    for (float& code : codes) code *= by.scale;
    return;
  }
  for (float& code : codes) {
    // A statement of its own, so that no compiler joins it with the sum.
    const float product = (code + by.excess) * by.scale;
    code = product + by.minimum;
  }
}

Result<uint64_t> adaptive_bytes(const PayloadLayout& layout, Bytes mask, uint64_t mask_offset) {
  uint64_t size = layout.codes_at;
  for (size_t i = 0; i < mask.size(); ++i) {
    const auto code = mask_code(mask[i]);
    if (!code) {
      return error_at(ErrorCode::BadValue, mask_offset + i, {"mask[", i, "]"},
                      {"precision ", mask[i], "; known are 1, 3, 4 and 5"});
    }
    size += code_bytes(*code, layout.block);
  }
  return size;
}

}  // namespace ambry::tensor
