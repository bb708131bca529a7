// Runs a plan for AMB while its matrices are quantised. What decides a tensor's size (the type of
// its scales, the precisions of adaptive blocks) is measured before the first byte is written, in
// one more reading of the tensors that need it.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/job.h"
#include "convert/plan.h"
#include "convert/quantize/quantize_options.h"
#include "tensor/dtype.h"

namespace ambry::convert {

[[nodiscard]] Result<std::unique_ptr<Job>> start_quantizing(Plan plan, tensor::DType dtype,
                                                            const QuantizeOptions& options);

}  // namespace ambry::convert
