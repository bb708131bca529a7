// The tables of cosines and sines that a graph rotates queries and keys with.
#pragma once

#include "base/result.h"
#include "convert/onnx/graph/onnx_file.h"
#include "model/decoder/rope_frequencies.h"

namespace ambry::convert::onnx {

// Two constants, with a row for each position.
struct RotaryCaches {
  const formats::onnx::Tensor* cosines = nullptr;
  const formats::onnx::Tensor* sines = nullptr;
};

// Unsupported, at the first number that is off by more than the rounding of f32 angles and of the
// stored type, unless row i has the cosines and sines of position i. Errors are those of the node
// `user`. On NeedBytes, load the bytes and call it again.
[[nodiscard]] Result<void> check_rotary_caches(const OnnxFile& file,
                                               const formats::onnx::Node& user,
                                               const RotaryCaches& caches,
                                               const model::RopeFrequencies& frequencies);

}  // namespace ambry::convert::onnx
