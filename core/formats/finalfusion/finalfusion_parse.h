// Reads .fifu as real files store it, which differs from the published specification; see
// README.md. Never reads vectors. On NeedBytes, load the bytes and call it again.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::finalfusion {

// The vocabulary becomes `Model::words`, the tensors are `storage` or `quantized.*`, and `norms`.
[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Checks that words, rows and norms agree, and that no word or n-gram is repeated.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::finalfusion
