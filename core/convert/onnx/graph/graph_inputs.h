// What a graph takes. Inputs with an initializer are constants that have a default, and do not
// count.
#pragma once

#include <string_view>

#include "convert/onnx/graph/onnx_file.h"

namespace ambry::convert::onnx {

// The picture [batch, channels, height, width] that is the only input, or nullptr.
[[nodiscard]] const formats::onnx::ValueInfo* picture_input(const OnnxFile& file);

// Whether an input may be the ids of tokens: whole numbers [batch, tokens].
[[nodiscard]] bool takes_tokens(const OnnxFile& file);

// Whether a graph of an encoder that is read may have an input of this name; likewise for language
// models.
[[nodiscard]] bool is_encoder_input(std::string_view name);
[[nodiscard]] bool is_decoder_input(std::string_view name);

}  // namespace ambry::convert::onnx
