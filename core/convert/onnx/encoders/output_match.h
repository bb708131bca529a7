// The outputs of an encoder's graph: states of tokens, and what is made of them for a whole text.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "convert/onnx/encoders/encoder_match.h"
#include "formats/huggingface/directory.h"

namespace ambry::convert::onnx {

// Compares all outputs with the model that the directory describes: the states of the tokens, the
// pooler's vector, a sentence vector with the stated pooling, or the logits of the stated head.
// Unsupported, with the node, for the first step that differs.
[[nodiscard]] Result<void> match_outputs(EncoderMatch& match,
                                         const formats::huggingface::Directory& directory);

}  // namespace ambry::convert::onnx
