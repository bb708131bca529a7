// Reads the header of a GGUF file, its metadata, vocabulary and tensor infos; see README.md.
// Restartable on NeedBytes.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::formats::gguf {

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Special ids against the vocabulary, tensors against the architecture's facts; says when the file
// is one part of several.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::gguf
