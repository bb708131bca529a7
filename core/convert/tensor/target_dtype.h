// As what a tensor goes into a target that does not hold every type.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "convert/options.h"
#include "convert/plan.h"
#include "model/model.h"
#include "tensor/dtype.h"

namespace ambry::convert {

// Gives a loss to the caller as a warning where the options are lossy, else as the error that it
// is.
[[nodiscard]] Result<void> lose(const Options& options, std::vector<Error>& warnings, Failure loss);

// Whether elements of this type can become floats.
[[nodiscard]] bool can_become_floats(const model::TensorEntry& tensor);

// Sets how `output` is made out of its one input, and the target's type. The type that the options
// ask for; else the stored one where `held` has it, or what holds the same codes and scales; else,
// with a loss, F16. Codes with scales of their own become INT8 in blocks, or F32. Unsupported when
// nothing of this is possible.
[[nodiscard]] Result<void> store_as(std::span<const tensor::DType> held, const Options& options,
                                    Output& output, model::TensorEntry& target,
                                    std::vector<Error>& warnings);

}  // namespace ambry::convert
