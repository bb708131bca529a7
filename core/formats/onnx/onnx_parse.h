// Reads an ONNX file; see README.md. On NeedBytes, load the bytes and call it again.
#pragma once

#include "base/result.h"
#include "formats/onnx/onnx_model.h"
#include "io/source.h"

namespace ambry::formats::onnx {

// Whether the first fields are those of a ModelProto.
[[nodiscard]] Result<bool> probe(const io::Source& source);

// Everything but the bytes of tensors. The model is well-formed, but its names, types and sizes are
// not compared with each other; check_model() does that (onnx_check.h).
[[nodiscard]] Result<OnnxModel> read_model(const io::Source& source);

}  // namespace ambry::formats::onnx
