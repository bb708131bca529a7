// A model in several files (README.md#split-models), which arrive as one source
// (io::Source::part_ends()).
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// The model of all parts; offsets count through all of them. Mismatch when they are not the parts
// of one model, each once and in their order.
[[nodiscard]] Result<model::Model> parse_parts(const io::Source& source,
                                               io::Diagnostics& diagnostics,
                                               const model::ReadOptions& options);

}  // namespace ambry::formats::gguf
