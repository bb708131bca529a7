#include "tensor/codec/stored_values.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/codes/codes.h"
#include "tensor/codec/stream_decoder.h"
#include "tensor/dtype/convert.h"

namespace ambry::tensor {
namespace {

// Codes [first, first + to.size()) of those that start at `codes`.
void unpack_run(DType code, const uint8_t* codes, uint64_t first, std::span<float> to) {
  const uint32_t per_unit = codes_per_unit(code);
  codes += static_cast<size_t>(first / per_unit) * unit_bytes(code);
  if (const auto skipped = static_cast<size_t>(first % per_unit); skipped > 0) {
    std::array<float, 8> unit;
    const size_t n = std::min(per_unit - skipped, to.size());
    unpack_codes(code, codes, skipped + n, unit.data());
    std::copy_n(unit.begin() + static_cast<std::ptrdiff_t>(skipped), n, to.begin());
    codes += unit_bytes(code);
    to = to.subspan(n);
  }
  if (!to.empty()) unpack_codes(code, codes, to.size(), to.data());
}

}  // namespace

bool StoredValues::can_read(DType dtype) {
  return dtype_column<&DTypeRow::amb>(dtype).has_value() || can_run_blocks(dtype);
}

Result<StoredValues> StoredValues::create(DType dtype, uint64_t rows, uint64_t cols,
                                          const std::optional<Quantization>& quantization,
                                          Bytes payload) {
  if (!can_read(dtype)) {
    return make_error(ErrorCode::Unsupported, "dtype",
                      {dtype_name(dtype), " weights cannot be computed with"});
  }
  const Shape shape{rows, cols};
  AMBRY_RETURN_IF_ERROR(StreamDecoder::create(dtype, shape, quantization, payload.size()));
  StoredValues values;
  values.dtype_ = dtype;
  values.payload_ = payload;
  values.cols_ = cols;
  if (is_plain(dtype)) return values;
  if (block_of(dtype).elements != 0) {
    AMBRY_RETURN_IF_ERROR(check_block_scales(dtype, payload));
    return values;
  }
  const Quantization how = quantization.value_or(Quantization());
  values.across_rows_ = how.across_rows;
  AMBRY_TRY(values.layout_, payload_layout(dtype, shape, how));
  if (values.layout_.n_mask > 0) AMBRY_RETURN_IF_ERROR(values.find_blocks());
  AMBRY_RETURN_IF_ERROR(values.check_scales());
  return values;
}

Result<void> StoredValues::find_blocks() {
  const auto mask =
      payload_.subspan(static_cast<size_t>(layout_.mask_at), static_cast<size_t>(layout_.n_mask));
  AMBRY_TRY(const uint64_t size, adaptive_bytes(layout_, mask, layout_.mask_at));
  if (size != payload_.size()) {
    return error_at(ErrorCode::Mismatch, 0, "data",
                    {payload_.size(), " bytes of data, expected ", size, ", as its mask says"});
  }
  marks_.reserve(mask.size() / kBlocksPerMark + 1);
  uint64_t at = layout_.codes_at;
  for (size_t i = 0; i < mask.size(); ++i) {
    if (i % kBlocksPerMark == 0) marks_.push_back(at);
    at += code_bytes(*mask_code(mask[i]), layout_.block);
  }
  return {};
}

uint64_t StoredValues::n_blocks() const {
  return layout_.n_scales > 0 ? layout_.n_scales : layout_.rows * layout_.blocks_per_row;
}

Result<void> StoredValues::check_scales() const {
  for (uint64_t i = 0; i < n_blocks(); ++i) {
    const BlockScale of = scale(i);
    if (!std::isfinite(of.scale) || !std::isfinite(of.minimum)) {
      return make_error(ErrorCode::BadValue, {"scales[", i, "]"}, "not a finite number");
    }
  }
  return {};
}

// Where the codes of an ADAPTIVE block, or scale and codes of one with its scale beside it, start.
uint64_t StoredValues::block_at(uint64_t index) const {
  if (layout_.n_mask == 0) {
    const uint64_t codes = code_bytes(code_type(dtype_), layout_.block);
    return layout_.scales_at + index * (layout_.scale_bytes + codes);
  }
  uint64_t at = marks_[static_cast<size_t>(index / kBlocksPerMark)];
  for (uint64_t i = index / kBlocksPerMark * kBlocksPerMark; i < index; ++i) {
    at += code_bytes(*mask_code(payload_[static_cast<size_t>(layout_.mask_at + i)]), layout_.block);
  }
  return at;
}

BlockScale StoredValues::scale(uint64_t index) const {
  const uint64_t at =
      layout_.n_scales > 0 ? layout_.scales_at + index * layout_.scale_bytes : block_at(index);
  return read_scale(layout_, payload_.data() + static_cast<size_t>(at));
}

StoredValues::Run StoredValues::run_at(uint64_t row, uint64_t col) const {
  if (across_rows_) {
    col += row * cols_;
    row = 0;
  }
  const auto codes_from = [&](uint64_t at) { return payload_.data() + static_cast<size_t>(at); };
  const uint64_t in_row = layout_.blocks_per_row == 0 ? 0 : col / layout_.block;
  const uint64_t index = row * layout_.blocks_per_row + in_row;
  const uint64_t first = layout_.blocks_per_row == 0 ? col : col % layout_.block;
  const uint64_t whole = layout_.blocks_per_row == 0 ? layout_.cols : layout_.block;
  const uint64_t count = std::min(whole - first, layout_.cols - col);
  if (layout_.n_mask > 0) {
    const DType code = *mask_code(payload_[static_cast<size_t>(layout_.mask_at + index)]);
    return {code, codes_from(block_at(index)), first, count,
            code == DType::F16 ? BlockScale() : scale(index)};
  }
  if (layout_.n_scales == 0) {
    return {code_type(dtype_), codes_from(block_at(index) + layout_.scale_bytes), first, count,
            scale(index)};
  }
  const uint64_t at = layout_.codes_at + row * code_bytes(dtype_, layout_.cols);
  return {dtype_, codes_from(at), col, count, scale(index)};
}

// Codes run by run; finish(numbers, scale) ends each.
template <class Finish>
void StoredValues::read_runs(uint64_t row, uint64_t col, std::span<float> to,
                             const Finish& finish) const {
  while (!to.empty()) {
    const Run run = run_at(row, col);
    const auto n = static_cast<size_t>(std::min<uint64_t>(run.count, to.size()));
    unpack_run(run.code, run.codes, run.first, to.first(n));
    finish(to.first(n), run.scale);
    col += n;
    to = to.subspan(n);
  }
}

// Whole blocks go straight to `to`; a run that begins or ends inside a block takes what it needs.
void StoredValues::read_blocks(uint64_t row, uint64_t col, std::span<float> to) const {
  const Block block = block_of(dtype_);
  uint64_t at = row * cols_ + col;
  while (!to.empty()) {
    const auto first = static_cast<size_t>(at % block.elements);
    const Bytes from =
        payload_.subspan(static_cast<size_t>(at / block.elements) * size_t{block.bytes});
    const size_t whole = first == 0 ? to.size() / block.elements : 0;
    const size_t n =
        whole > 0 ? whole * block.elements : std::min(block.elements - first, to.size());
    std::array<float, kLargestBlock.elements> cut;
    const std::span<float> out = whole > 0 ? to.first(n) : std::span(cut).first(block.elements);
    const size_t n_blocks = std::max<size_t>(whole, 1);
    [[maybe_unused]] const auto decoded =
        decode_blocks(dtype_, from.first(n_blocks * block.bytes), out);
    assert(decoded);
    if (whole == 0) std::copy_n(cut.begin() + static_cast<std::ptrdiff_t>(first), n, to.begin());
    at += n;
    to = to.subspan(n);
  }
}

void StoredValues::read(uint64_t row, uint64_t col, std::span<float> to) const {
  if (is_plain(dtype_)) {
    const size_t size = dtype_size(dtype_);
    const auto at = static_cast<size_t>(row * cols_ + col);
    [[maybe_unused]] const Result<void> read =
        to_f32(dtype_, payload_.subspan(at * size, to.size() * size), to);
    assert(read);
    return;
  }
  if (block_of(dtype_).elements != 0) return read_blocks(row, col, to);
  read_runs(row, col, to,
            [](std::span<float> codes, const BlockScale& scale) { scale_codes(scale, codes); });
}

void StoredValues::read_codes(uint64_t row, uint64_t col, std::span<float> to) const {
  assert(layout_.cols > 0);
  read_runs(row, col, to, [](std::span<float>, const BlockScale&) {});
}

}  // namespace ambry::tensor
