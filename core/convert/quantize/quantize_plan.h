// Changes a plan for AMB so that its matrices are quantized.
#pragma once

#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "convert/plan/plan.h"
#include "convert/plan/quantization_options.h"
#include "model/file/model.h"
#include "tensor/dtype/dtype.h"

namespace ambry::convert {

// `dtype` is one of AMB's quantized types. A matrix becomes F16, with a warning, if its rows are
// not a whole number of blocks. NotFound for a name in `keep` that the target does not have.
// Unsupported if embeddings or output must stay, or errors are weighted, and the roles of the
// tensors are unknown. Mismatch for the activations of another model. The caller computes sizes and
// layout.
[[nodiscard]] Result<void> quantize_plan(Plan& plan, tensor::DType dtype,
                                         const QuantizeOptions& options);

// Warns when the input of `output`, which becomes `target`, has lost something already.
void warn_if_quantized_before(const Output& output, const model::TensorEntry& target,
                              std::vector<Error>& warnings);

}  // namespace ambry::convert
