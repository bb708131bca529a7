// Reads both versions of ALT; see README.md. Never reads tensor bytes. On NeedBytes, load the bytes
// and call it again.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::alt {

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Checks whether the values of a parsed model agree: parameters, vocabulary, tensors.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::alt
