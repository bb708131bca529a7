// Whether a model gives numbers at all.
#pragma once

#include <span>

#include "base/result.h"

namespace ambry::infer {

// BadValue at `path`, which names the input, for an output that is not finite.
[[nodiscard]] Result<void> check_outputs(std::span<const float> outputs, const Text& path);

}  // namespace ambry::infer
