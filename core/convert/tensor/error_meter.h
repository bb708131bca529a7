// Decodes what a BlockEncoder writes, and compares it with the original values.
#pragma once

#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "convert/plan/plan.h"
#include "convert/plan/report.h"
#include "convert/tensor/tensor_transform.h"
#include "model/file/model.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::convert {

class ErrorMeter {
 public:
  // All arguments must outlive the meter.
  [[nodiscard]] static Result<ErrorMeter> create(const Output& output,
                                                 const model::TensorEntry& target,
                                                 const RowScales& scales, ErrorSums& sums);

  // `written` has the next bytes of the target, and `rows` the elements that they complete.
  [[nodiscard]] Result<void> add(std::span<const float> rows, Bytes written);

 private:
  ErrorMeter(tensor::StreamDecoder decoder, ErrorSums& sums)
      : decoder_(std::move(decoder)), sums_(&sums) {}
  void scale_rows(std::span<float> codes);
  Result<void> add_groups(std::span<const float> rows, Bytes written);

  tensor::StreamDecoder decoder_;
  ErrorSums* sums_;
  const RowScales* scales_ = nullptr;    // for int8 with scales in another tensor
  const GroupCoding* groups_ = nullptr;  // for Groups
  uint64_t cols_ = 1;
  uint64_t element_ = 0;
  std::vector<float> decoded_;
};

}  // namespace ambry::convert
