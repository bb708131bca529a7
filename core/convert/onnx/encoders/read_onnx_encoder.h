// Reads the weights of an encoder from an ONNX file, as those of its directory.
#pragma once

#include "base/result.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"
#include "formats/huggingface/directory.h"

namespace ambry::convert::onnx {

// The tensors under the names that the model's library gives them. The graph must be the encoder
// that the directory describes, step by step; else Unsupported, with the name, the operator and the
// place of the first node that differs. On NeedBytes, load the bytes and call it again.
[[nodiscard]] Result<SourceModel> read_onnx_encoder(
    const SourceFiles& sources, const formats::huggingface::Directory& directory);

}  // namespace ambry::convert::onnx
