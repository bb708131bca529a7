// Vectors that come from JavaScript in blocks.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"

namespace ambry::api {

// Appends vectors of `dim` values to `rows`. BadValue, with the path vectors[i], unless they are
// whole and finite.
[[nodiscard]] Result<void> append_vectors(std::span<const float> vectors, size_t dim,
                                          std::vector<float>& rows);

}  // namespace ambry::api
