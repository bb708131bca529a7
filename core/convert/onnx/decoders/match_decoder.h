// A decoder's graph, read and matched.
#pragma once

#include "base/result.h"
#include "convert/onnx/graph/onnx_file.h"
#include "convert/onnx/weights/weight_tensors.h"
#include "convert/plan/source_model.h"

namespace ambry::convert::onnx {

// As read_onnx_decoder(), of a graph that is read already.
[[nodiscard]] Result<SourceModel> match_onnx_decoder(const OnnxFile& file, KeptCodes kept);

}  // namespace ambry::convert::onnx
