// A language model of onnxruntime-genai's model builder as the tensors of its checkpoint.
#pragma once

#include "base/result.h"
#include "convert/plan/source_model.h"

namespace ambry::convert::onnx {

// The weights of the ONNX file under the names of the library's checkpoint, for the model that the
// side file config.json states. `config` of the result is AMB's, and counts in place of that of
// config.json: it says what the graph has otherwise (README.md). Codes stay as they are in AMB's
// types where `keeps_codes`. Unsupported, with the node, for the first one that differs from that
// model. On NeedBytes, load the bytes and call it again. Modules without ONNX refuse the file.
[[nodiscard]] Result<SourceModel> read_onnx_decoder(const SourceFiles& sources, bool keeps_codes);

}  // namespace ambry::convert::onnx
