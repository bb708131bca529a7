// The operators that a network for pictures may have. Their inputs, outputs and attributes are
// checked here.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "convert/onnx/graph/onnx_file.h"

namespace ambry::convert::onnx {

enum class CnnOperator : uint8_t {
  Conv,
  BatchNormalization,
  Relu,
  MaxPool,
  AveragePool,
  GlobalMaxPool,
  GlobalAveragePool,
  ReduceMean,
  Add,
  Concat,
  Flatten,
  Reshape,
  Squeeze,
  Gemm,
  MatMul,
  Softmax,
  Identity,
  Dropout,
  Shape,
  Gather,
  Unsqueeze,
  Cast,
  Constant,
  Transpose,
};

// The versions of ONNX's operators in which the rules hold.
inline constexpr int64_t kMinCnnOpset = 7;
inline constexpr int64_t kMaxCnnOpset = 25;

// Unsupported, with the node's name, operator and place, for an operator that no such network has,
// for another number of inputs or outputs, and for an attribute that is unknown or of another type.
[[nodiscard]] Result<CnnOperator> cnn_operator(const OnnxFile& file,
                                               const formats::onnx::Node& node);

}  // namespace ambry::convert::onnx
