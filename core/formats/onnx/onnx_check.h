// Whether the parts of an ONNX model fit together; see README.md#what-is-checked.
#pragma once

#include "formats/onnx/onnx_model.h"
#include "io/diagnostics.h"

namespace ambry::formats::onnx {

// Adds at most some dozens of problems, each with its place and path.
void check_model(const OnnxModel& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::onnx
