// Reads AMB; see README.md. Never reads tensor data. On NeedBytes, load the bytes and call it
// again.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::amb {

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Checks whether the model could run: the config's facts, and the tensors and shapes that they
// require. Something that only prevents running it is a warning.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::amb
