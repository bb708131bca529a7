// Lays out strict ALT files: v1, or v2 without tensors (README.md#writing).
#pragma once

#include "base/result.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::formats::alt {

// Writes v2 for a model that was read from such a file, and v1 for any other.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::alt
