// Leaves out tensors that a forward pass does not use.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "model/file/model.h"

namespace ambry::convert {

// Leaves out a tensor that the target has no place for: a warning when the options are lossy, else
// an error. A tensor of the forward pass is always an error.
[[nodiscard]] Result<void> leave_out(const model::TensorEntry& tensor, uint64_t n_layers,
                                     const Text& reason, const Options& options,
                                     std::vector<Error>& warnings);

}  // namespace ambry::convert
