// Writes strict AMB files (layout R1, weights at a multiple of 64).
#pragma once

#include "base/result.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::formats::amb {

// Metadata and config keep their text if it still matches model.metadata and model.config. Files
// get checksums, except those that were read from an AMB file without them. Tensors keep their
// bytes; a quantization prefix that was stored elsewhere is moved before them. Unsupported for
// blocks across rows and for element types and tokenizers that AMB does not have. BadValue and
// LimitExceeded for values that its fields cannot hold.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::amb
