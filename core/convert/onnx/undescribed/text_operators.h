// How far a graph has only operators that the graphs of models for texts have.
#pragma once

#include <cstddef>

#include "convert/onnx/graph/onnx_file.h"

namespace ambry::convert::onnx {

// How many nodes come before the first one that no encoder has.
[[nodiscard]] size_t count_encoder_nodes(const OnnxFile& file);

// How many nodes come before the first one that no language model has. 0 for a graph without
// GroupQueryAttention, which all that are read have.
[[nodiscard]] size_t count_decoder_nodes(const OnnxFile& file);

}  // namespace ambry::convert::onnx
