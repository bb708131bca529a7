// Writes strict AMB files (layout R1, weights at a multiple of 64).
#pragma once

#include "base/result.h"
#include "model/file_layout.h"
#include "model/model.h"

namespace ambry::formats::amb {

// Metadata and config keep their text where it still says what model.metadata and model.config say.
// Files get checksums; one that was read from an AMB file without them stays without. Tensors keep
// their bytes: one whose quantisation prefix was elsewhere gets it before them. Unsupported for
// blocks across rows and for element types and tokenizers that AMB does not have, BadValue and
// LimitExceeded for what its fields cannot hold.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::amb
