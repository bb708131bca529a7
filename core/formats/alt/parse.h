// Reads both versions of ALT; see README.md. Restartable on NeedBytes, never touches tensor bytes.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::formats::alt {

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// What the numbers of a read model say about each other: parameters, vocabulary, tensors.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::alt
