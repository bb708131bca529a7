#include "convert/error_meter.h"

#include <algorithm>
#include <utility>

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
  if (output.making == Making::Quantize) {
    meter.scales_ = &scales;
    meter.cols_ = target.bytes / target.shape[0];
  }
  return meter;
}

Result<void> ErrorMeter::add(std::span<const float> rows, Bytes written) {
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
