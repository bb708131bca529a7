// Tells tensors that a forward pass uses from those that a lossy conversion may leave out.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "convert/options.h"
#include "model/model.h"

namespace ambry::convert {

// Whether an unknown tensor of this name belongs to a layer below `n_layers`, or changes what goes
// into or comes out of the layers. Takes the names of Hugging Face and of GGUF.
[[nodiscard]] bool is_in_forward_pass(std::string_view name, uint64_t n_layers);

// Leaves out a tensor that the target has no place for: a warning when the options are lossy, else
// an error. A tensor of the forward pass is always an error.
[[nodiscard]] Result<void> leave_out(const model::TensorEntry& tensor, uint64_t n_layers,
                                     const Text& reason, const Options& options,
                                     std::vector<Error>& warnings);

}  // namespace ambry::convert
