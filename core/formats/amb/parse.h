// Reads AMB; see README.md. Restartable on NeedBytes, never touches tensor data.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::formats::amb {

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Whether the model could run: the config's facts, the tensors that they require and their shapes.
// What only stands in the way of running it is a warning.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::amb
