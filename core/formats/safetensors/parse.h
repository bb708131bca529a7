// Reads the header of a safetensors file; see README.md. Restartable on NeedBytes.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::formats::safetensors {

// Whether the file starts with a plausible header length and a brace.
[[nodiscard]] Result<bool> probe(const io::Source& source);

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Nothing beyond what parsing proves: a bag of tensors means what its directory says.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::safetensors
