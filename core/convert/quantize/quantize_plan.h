// Turns a plan for AMB into one that quantises its matrices.
#pragma once

#include "base/result.h"
#include "convert/plan.h"
#include "convert/quantize/quantize_options.h"
#include "tensor/dtype.h"

namespace ambry::convert {

// `dtype` is one of AMB's quantised types. Matrices whose rows are no whole number of blocks become
// F16, with a warning. NotFound for a name to be kept that the target does not have, Unsupported
// when embeddings or output are to be kept, or errors to be weighed, and the model does not say
// which tensors are what, Mismatch for the activations of another model. Sizes and layout are left
// to be made.
[[nodiscard]] Result<void> quantize_plan(Plan& plan, tensor::DType dtype,
                                         const QuantizeOptions& options);

}  // namespace ambry::convert
