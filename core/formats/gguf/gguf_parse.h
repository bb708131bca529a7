// Reads the header of a GGUF file, its metadata, vocabulary and tensor infos; see README.md. On
// NeedBytes, load the bytes and call it again.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// Also reads a split model, whose files are one source.
[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Reads one file, which may be a part of a split model.
[[nodiscard]] Result<model::Model> parse_file(const io::Source& source,
                                              io::Diagnostics& diagnostics,
                                              const model::ReadOptions& options = {});

// Checks special ids against the vocabulary and tensors against the architecture's facts. Reports
// whether the file is one part of several.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::gguf
