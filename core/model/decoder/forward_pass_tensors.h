// Tells tensors that a forward pass uses from others in a file, such as those of training.
#pragma once

#include <cstdint>
#include <string_view>

namespace ambry::model {

// Whether an unknown tensor of this name belongs to a layer below `n_layers`, or changes what goes
// into or comes out of the layers. Takes the names of Hugging Face and of GGUF.
[[nodiscard]] bool is_in_forward_pass(std::string_view name, uint64_t n_layers);

}  // namespace ambry::model
