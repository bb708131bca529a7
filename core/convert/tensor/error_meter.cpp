#include "convert/tensor/error_meter.h"

#include <algorithm>
#include <utility>

#include "tensor/codec/codes/group_codes.h"

namespace ambry::convert {
namespace {

constexpr size_t kRun = size_t{16} * 1024;

}  // namespace

Result<ErrorMeter> ErrorMeter::create(const Output& output, const model::TensorEntry& target,
                                      const RowScales& scales, ErrorSums& sums) {
  AMBRY_TRY(
      tensor::StreamDecoder decoder,
      tensor::StreamDecoder::create(target.dtype, target.shape, target.quantization, target.bytes));
  ErrorMeter meter(std::move(decoder), sums);
  if (output.method == Method::Quantize) {
    meter.scales_ = &scales;
    meter.cols_ = target.bytes / target.shape[0];
  }
  if (output.method == Method::Groups) meter.groups_ = &output.groups;
  return meter;
}

Result<void> ErrorMeter::add(std::span<const float> rows, Bytes written) {
  if (groups_ != nullptr) return add_groups(rows, written);
  decoded_.resize(kRun);
  while (!written.empty()) {
    AMBRY_TRY(const size_t n, decoder_.decode(written, decoded_));
    const std::span<float> decoded = std::span(decoded_).first(n);
    if (scales_ != nullptr) scale_rows(decoded);
    sums_->add(rows.first(n), decoded);
    rows = rows.subspan(n);
  }
  return {};
}

// Scales and zero points are not compared, only the values that they give.
Result<void> ErrorMeter::add_groups(std::span<const float> rows, Bytes written) {
  using Part = GroupCoding::Part;
  if (groups_->part == Part::Scales || groups_->part == Part::ZeroPoints) return {};
  const auto size = groups_->part == Part::Codes ? static_cast<size_t>(groups_->size) : rows.size();
  const size_t code_bytes = groups_->part == Part::StaticBiases ? sizeof(int32_t) : 1;
  decoded_.resize(size);
  for (size_t at = 0; at < rows.size(); at += size) {
    const std::span<const float> group = rows.subspan(at, size);
    tensor::GroupScale scale{groups_->scale, 0};
    if (groups_->part == Part::Codes) {
      AMBRY_TRY(scale, tensor::fit_group(group, groups_->asymmetric));
    }
    for (size_t i = 0; i < size; ++i) {
      const uint8_t* code = written.data() + (at + i) * code_bytes;
      const int64_t number = code_bytes == 1 ? static_cast<int8_t>(*code) : load_le<int32_t>(code);
      decoded_[i] = static_cast<float>(number - scale.zero_point) * scale.scale;
    }
    sums_->add(group, decoded_);
  }
  return {};
}

void ErrorMeter::scale_rows(std::span<float> codes) {
  while (!codes.empty()) {
    const auto left = static_cast<size_t>(cols_ - element_ % cols_);
    const std::span<float> row = codes.first(std::min(left, codes.size()));
    const float scale = (*scales_)[static_cast<size_t>(element_ / cols_)];
    for (float& value : row) value *= scale;
    element_ += row.size();
    codes = codes.subspan(row.size());
  }
}

}  // namespace ambry::convert
