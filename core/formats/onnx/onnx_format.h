// The row of ONNX in the registry. A module that has no need of ONNX leaves the reader out
// (api/files/onnx/without_onnx.h).
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::onnx {

// Reads and checks the graph. Problems that do not stop the reader are in `diagnostics`.
[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Does nothing: parsing checks everything, because a report of a graph is not enough for it.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::onnx
