// Graphs without config.json: what to do where it is only missing, and else why no such graph is
// read.
#pragma once

#include "base/result.h"
#include "convert/onnx/graph/onnx_file.h"

namespace ambry::convert::onnx {

// NotFound (`config.json`) for a graph that may be an encoder or a language model. Unsupported,
// with the first node that no model has which is read, or with the input, for any other graph.
// Mismatch for a graph of tokens that has a config.json after all.
// `n_fitting`: how many nodes come before the first one that no network for pictures has.
[[nodiscard]] Failure refuse_undescribed(const OnnxFile& file, size_t n_fitting = 0);

// The above for a conversion that needs config.json and has none.
[[nodiscard]] Result<void> check_described(const SourceFiles& sources);

}  // namespace ambry::convert::onnx
