#include "tensor/codec/stream_decoder.h"

#include <algorithm>
#include <cassert>

#include "base/checked.h"
#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/codes/codes.h"
#include "tensor/dtype/convert.h"

namespace ambry::tensor {
namespace {

// Scales and mask that no machine with 32-bit sizes could hold belong to no real tensor.
constexpr uint64_t kMaxHeadBytes = uint64_t{1} << 30;

Failure size_mismatch(uint64_t offset, uint64_t bytes, const Text& expected) {
  return error_at(ErrorCode::Mismatch, offset, "data",
                  {bytes, " bytes of data, expected ", expected.str()});
}

// Checks types whose size follows from the type alone.
Result<void> check_units(DType dtype, const Shape& shape, uint64_t bytes, uint64_t offset) {
  if (!is_plain(dtype) && !can_decode_blocks(dtype)) {
    return error_at(ErrorCode::Unsupported, offset, "dtype",
                    {"values of ", dtype_name(dtype), " cannot be read"});
  }
  const Block unit = block_of(dtype);
  const auto count = shape.count();
  const auto size = count ? checked_mul(*count / unit.elements, unit.bytes) : std::nullopt;
  if (!size) return error_at(ErrorCode::Overflow, offset, "shape", "the size passes 64 bits");
  if (*size != bytes || *count % unit.elements != 0) return size_mismatch(offset, bytes, {*size});
  return {};
}

// `bytes` are whole units.
Result<void> read_units(DType dtype, Bytes bytes, std::span<float> out) {
  return is_plain(dtype) ? to_f32(dtype, bytes, out) : decode_blocks(dtype, bytes, out);
}

}  // namespace

Result<StreamDecoder> StreamDecoder::create(DType dtype, const Shape& shape,
                                            const std::optional<Quantization>& quantization,
                                            uint64_t bytes, uint64_t offset) {
  StreamDecoder decoder;
  decoder.dtype_ = dtype;
  decoder.offset_ = offset;
  decoder.end_ = bytes;
  decoder.unit_ = block_of(dtype);
  if (decoder.unit_.elements != 0) {
    AMBRY_RETURN_IF_ERROR(check_units(dtype, shape, bytes, offset));
    return decoder;
  }
  AMBRY_TRY(decoder.layout_, payload_layout(dtype, shape, quantization.value_or(Quantization())));
  const PayloadLayout& layout = decoder.layout_;
  if (bytes < layout.min_bytes || bytes > layout.max_bytes) {
    return size_mismatch(offset, bytes, {layout.min_bytes, " to ", layout.max_bytes});
  }
  if (layout.codes_at > kMaxHeadBytes) {
    return error_at(ErrorCode::LimitExceeded, offset, "data",
                    {layout.codes_at, " bytes of scales, at most ", kMaxHeadBytes});
  }
  decoder.code_ = code_type(dtype);
  return decoder;
}

Result<size_t> StreamDecoder::decode(Bytes& bytes, std::span<float> out) {
  assert(!out.empty());
  size_t n = take_pending(out);
  while (n < out.size() && !bytes.empty() && position_ < end_) {
    if (unit_.elements != 0) {
      AMBRY_TRY(const size_t decoded, decode_units(bytes, out.subspan(n)));
      n += decoded;
    } else if (!head_done_) {
      AMBRY_RETURN_IF_ERROR(take_head(bytes));
    } else if (stored_ > 0 || begin_segment(bytes)) {
      n += decode_codes(bytes, out.subspan(n));
    }
    n += take_pending(out.subspan(n));
  }
  return n;
}

Result<void> StreamDecoder::finish() const {
  if (is_complete()) return {};
  return error_at(ErrorCode::Truncated, offset_ + position_, "data",
                  {"the data of ", end_, " bytes ends after ", position_});
}

void StreamDecoder::take(Bytes& bytes, size_t size) {
  bytes = bytes.subspan(size);
  position_ += size;
}

// Whether `size` bytes are together in carry_; the next user sets n_carry_ back to 0.
bool StreamDecoder::fill_carry(Bytes& bytes, size_t size) {
  const size_t n = std::min(size - n_carry_, bytes.size());
  std::copy_n(bytes.begin(), n, carry_.begin() + static_cast<std::ptrdiff_t>(n_carry_));
  n_carry_ += n;
  take(bytes, n);
  return n_carry_ == size;
}

size_t StreamDecoder::take_pending(std::span<float> out) {
  const size_t n = std::min(n_pending_, out.size());
  std::copy_n(pending_.begin() + static_cast<std::ptrdiff_t>(pending_end_ - n_pending_), n,
              out.begin());
  n_pending_ -= n;
  return n;
}

Result<size_t> StreamDecoder::decode_units(Bytes& bytes, std::span<float> out) {
  const uint64_t left = (end_ - position_) / unit_.bytes;
  const auto n = static_cast<size_t>(
      std::min<uint64_t>({out.size() / unit_.elements, bytes.size() / unit_.bytes, left}));
  if (n_carry_ > 0 || n == 0) {
    if (!fill_carry(bytes, unit_.bytes)) return 0;
    n_carry_ = 0;
    pending_end_ = n_pending_ = unit_.elements;
    AMBRY_RETURN_IF_ERROR(read_units(dtype_, Bytes(carry_).first(unit_.bytes),
                                     std::span(pending_).first(unit_.elements)));
    return 0;
  }
  AMBRY_RETURN_IF_ERROR(
      read_units(dtype_, bytes.first(n * unit_.bytes), out.first(n * unit_.elements)));
  take(bytes, n * unit_.bytes);
  return n * unit_.elements;
}

// Prefix, mask and scale array.
Result<void> StreamDecoder::take_head(Bytes& bytes) {
  while (position_ < layout_.codes_at && !bytes.empty()) {
    const bool in_prefix = position_ < layout_.mask_at;
    const uint64_t until = in_prefix ? layout_.mask_at : layout_.codes_at;
    const auto n = static_cast<size_t>(std::min<uint64_t>(until - position_, bytes.size()));
    if (!in_prefix) {
      if (head_.empty()) head_.reserve(static_cast<size_t>(layout_.codes_at - layout_.mask_at));
      head_.insert(head_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    }
    take(bytes, n);
  }
  if (position_ < layout_.codes_at) return {};
  head_done_ = true;
  return dtype_ == DType::Adaptive ? check_mask() : Result<void>();
}

Result<void> StreamDecoder::check_mask() const {
  const Bytes mask = Bytes(head_).first(static_cast<size_t>(layout_.n_mask));
  AMBRY_TRY(const uint64_t size, adaptive_bytes(layout_, mask, offset_ + layout_.mask_at));
  if (size == end_) return {};
  return size_mismatch(offset_, end_, {size, ", as its mask says"});
}

BlockScale StreamDecoder::scale_at(uint64_t index) const {
  const uint8_t* from = head_.data() + static_cast<size_t>(layout_.scales_at - layout_.mask_at) +
                        static_cast<size_t>(index) * layout_.scale_bytes;
  return read_scale(layout_, from);
}

// False when the bytes end before the segment's scale does.
bool StreamDecoder::begin_segment(Bytes& bytes) {
  if (layout_.n_scales > 0 && layout_.n_mask == 0) {
    stored_ = real_ = layout_.cols;
    return true;
  }
  if (layout_.n_mask > 0) {
    code_ = *mask_code(head_[static_cast<size_t>(block_)]);
    scale_ = code_ == DType::F16 ? BlockScale() : scale_at(block_);
  } else {
    if (!fill_carry(bytes, layout_.scale_bytes)) return false;
    n_carry_ = 0;
    scale_ = read_scale(layout_, carry_.data());
  }
  stored_ = layout_.block;
  real_ = std::min(layout_.block, layout_.cols - col_);
  return true;
}

// Many whole units at once, or one that a chunk's end or the room in `out` cuts.
size_t StreamDecoder::decode_codes(Bytes& bytes, std::span<float> out) {
  const uint64_t left = stored_ - at_;
  const uint32_t per_unit = codes_per_unit(code_);
  const auto units = static_cast<size_t>(std::min<uint64_t>(
      {left / per_unit, bytes.size() / unit_bytes(code_), out.size() / per_unit}));
  if (n_carry_ == 0 && units > 0) {
    unpack_codes(code_, bytes.data(), units * per_unit, out.data());
    take(bytes, units * unit_bytes(code_));
    return finish_codes(out.first(units * per_unit));
  }
  const auto n = static_cast<size_t>(std::min<uint64_t>(left, per_unit));
  if (!fill_carry(bytes, static_cast<size_t>(code_bytes(code_, n)))) return 0;
  n_carry_ = 0;
  unpack_codes(code_, carry_.data(), n, pending_.data());
  pending_end_ = n_pending_ = finish_codes(std::span(pending_).first(n));
  return 0;
}

// Scales the next codes of the segment in place; returns how many of them are elements.
size_t StreamDecoder::finish_codes(std::span<float> codes) {
  const uint64_t real_left = real_ > at_ ? real_ - at_ : 0;
  const auto n = static_cast<size_t>(std::min<uint64_t>(codes.size(), real_left));
  if (layout_.n_scales > 0 && layout_.n_mask == 0) {
    scale_row(codes.first(n));
  } else {
    scale_codes(scale_, codes.first(n));
  }
  at_ += codes.size();
  if (at_ == stored_) end_segment();
  return n;
}

// Scales a part of a row whose scales lie in the array before the codes.
void StreamDecoder::scale_row(std::span<float> codes) const {
  for (size_t i = 0; i < codes.size();) {
    uint64_t run = codes.size() - i;
    uint64_t index = 0;
    if (layout_.blocks_per_row > 0) {
      index = row_ * layout_.blocks_per_row + (at_ + i) / layout_.block;
      run = std::min(run, layout_.block - (at_ + i) % layout_.block);
    }
    scale_codes(scale_at(index), codes.subspan(i, static_cast<size_t>(run)));
    i += static_cast<size_t>(run);
  }
}

void StreamDecoder::end_segment() {
  col_ += real_;
  if (col_ == layout_.cols) {
    col_ = 0;
    ++row_;
  }
  ++block_;
  stored_ = 0;
  at_ = 0;
}

}  // namespace ambry::tensor
