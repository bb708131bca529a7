// Reads both layouts of EMBD; see README.md. Restartable on NeedBytes, never touches tensor bytes.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::formats::embd {

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// The layouts one by one, for parse(), which finds out which it is.
[[nodiscard]] Result<model::Model> parse_f0(const io::Source& source, io::Diagnostics& diagnostics,
                                            const model::ReadOptions& options);
[[nodiscard]] Result<model::Model> parse_f1(const io::Source& source, io::Diagnostics& diagnostics,
                                            const model::ReadOptions& options);

// What the numbers of a read model say about each other: vocabulary, metadata, required tensors.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::embd
