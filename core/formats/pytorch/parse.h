// Reads PyTorch's checkpoints: the tensors of a state dict, wherever it lies in nested dicts, at
// their places in the archive. No code of the file is ever run (pickle.h).
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::formats::pytorch {

[[nodiscard]] Result<bool> probe(const io::Source& source);

// Names are the keys on the way to a tensor, joined by dots; numbers and texts beside the tensors
// become metadata under such names.
[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::pytorch
