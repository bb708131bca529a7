// Makes one tensor of the target from its inputs, block by block.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "convert/plan/job.h"
#include "convert/plan/plan.h"
#include "convert/plan/report.h"
#include "model/file/model.h"

namespace ambry::convert {

// One float for each row. Quantize computes them; the Scales output after it writes them.
using RowScales = std::vector<float>;

struct TransformStep {
  Step::Kind kind = Step::Kind::Done;
  uint64_t offset = 0;  // Read: in the file
  MutableBytes bytes;   // Read: to fill; Write: to take; before the next call
  uint32_t file = 0;
};

class TensorTransform {
 public:
  TensorTransform() = default;
  TensorTransform(const TensorTransform&) = delete;
  TensorTransform& operator=(const TensorTransform&) = delete;
  virtual ~TensorTransform() = default;

  // Returns Done after the last write of the tensor.
  [[nodiscard]] virtual Result<TransformStep> next() = 0;
};

// The arguments must outlive the transform. It adds to `errors` how it changes the elements.
[[nodiscard]] Result<std::unique_ptr<TensorTransform>> begin_transform(
    const Output& output, const model::TensorEntry& target, RowScales& scales, ErrorSums& errors);

}  // namespace ambry::convert
