// Reads the header of a safetensors file; see README.md. On NeedBytes, load the bytes and call it
// again.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::safetensors {

// Whether the file starts with a plausible header length and a brace.
[[nodiscard]] Result<bool> probe(const io::Source& source);

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Does nothing: parsing checks everything, because a safetensors file has no further meaning.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::safetensors
