// Runs a plan for AMB and quantizes its matrices. A measuring pass over some tensors comes before
// the first write, because it determines the size of the file: the types of scales, and the
// precisions of adaptive blocks.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/plan/job.h"
#include "convert/plan/plan.h"
#include "convert/plan/quantization_options.h"
#include "tensor/dtype/dtype.h"

namespace ambry::convert {

[[nodiscard]] Result<std::unique_ptr<Job>> start_quantizing(Plan plan, tensor::DType dtype,
                                                            const QuantizeOptions& options);

}  // namespace ambry::convert
