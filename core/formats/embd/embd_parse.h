// Reads both layouts of EMBD; see README.md. Never reads tensor bytes. On NeedBytes, load the bytes
// and call it again.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::embd {

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// The two layouts. parse() decides which one it is.
[[nodiscard]] Result<model::Model> parse_f0(const io::Source& source, io::Diagnostics& diagnostics,
                                            const model::ReadOptions& options);
[[nodiscard]] Result<model::Model> parse_f1(const io::Source& source, io::Diagnostics& diagnostics,
                                            const model::ReadOptions& options);

// Checks whether the values of a parsed model agree: vocabulary, metadata, required tensors.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::embd
