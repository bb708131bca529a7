// Chooses the type of a tensor in a target that does not support every type.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "model/file/model.h"
#include "tensor/dtype/dtype.h"

namespace ambry::convert {

// Reports a loss: as a warning when the options are lossy, else as an error.
[[nodiscard]] Result<void> lose(const Options& options, std::vector<Error>& warnings, Failure loss);

// Whether elements of this type can be converted to floats.
[[nodiscard]] bool can_become_floats(const model::TensorEntry& tensor);

// Sets how `output` is made from its one input, and the target's type. The type is the one in the
// options; else the stored type if the target supports it, or a type with the same codes and
// scales; else F16, with a loss, which needs no permission where the target is quantized anyway.
// Codes with separate scales become INT8 in blocks, or F32. Unsupported when none of these is
// possible.
[[nodiscard]] Result<void> store_as(std::span<const tensor::DType> supported,
                                    const Options& options, Output& output,
                                    model::TensorEntry& target, std::vector<Error>& warnings);

}  // namespace ambry::convert
