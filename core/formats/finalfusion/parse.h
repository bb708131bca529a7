// Reads .fifu as real files have it, which is not as the published specification says; see
// README.md. Restartable on NeedBytes, never touches numbers.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::formats::finalfusion {

// The vocabulary becomes `Model::words`, the tensors are `storage` or `quantized.*`, and `norms`.
[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Whether words, rows and norms agree, and no word or n-gram occurs twice.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::finalfusion
