// Makes one tensor of the target out of its inputs, block by block.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "convert/job.h"
#include "convert/plan.h"
#include "convert/quantize/report.h"
#include "model/model.h"

namespace ambry::convert {

// One float a row, made by the Quantize before the Scales that write them.
using RowScales = std::vector<float>;

struct TransformStep {
  Step::Kind kind = Step::Kind::Done;
  uint64_t offset = 0;  // Read: in the file
  MutableBytes bytes;   // Read: to be filled; Write: to be taken, before the next call
  uint32_t file = 0;
};

class TensorTransform {
 public:
  TensorTransform() = default;
  TensorTransform(const TensorTransform&) = delete;
  TensorTransform& operator=(const TensorTransform&) = delete;
  virtual ~TensorTransform() = default;

  // Done when the tensor has been written to its end.
  [[nodiscard]] virtual Result<TransformStep> next() = 0;
};

// Every argument must outlive the work, which adds to `errors` what it does to the elements.
[[nodiscard]] Result<std::unique_ptr<TensorTransform>> begin_transform(
    const Output& output, const model::TensorEntry& target, RowScales& scales, ErrorSums& errors);

}  // namespace ambry::convert
