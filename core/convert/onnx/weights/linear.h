// Weights of an ONNX graph, and the nodes that multiply with them, in all forms that exporters and
// quantizers write.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "convert/checkpoint_quantization/packed_matrix.h"
#include "convert/onnx/graph/onnx_file.h"
#include "convert/plan/plan.h"

namespace ambry::convert::onnx {

// A weight. The shape is that of the model's library: [out, in] for a linear layer. One of the
// three members holds the values.
struct OnnxWeight {
  // A tensor of a file, whose name is the value's in the graph. Transposed ones have strides.
  Input input;
  // Values of a tensor that the file has in another form; `input` has their shape.
  std::vector<float> given;
  // A quantized matrix; `input` has its shape, too.
  std::shared_ptr<PackedMatrix> packed;

  [[nodiscard]] const tensor::Shape& shape() const { return input.tensor.shape; }
};

// The weight with its two axes exchanged. Nothing for one that has not two.
[[nodiscard]] std::optional<OnnxWeight> transposed(OnnxWeight weight);

// The float weight that this value is: a constant, also behind Identity, Cast between floats,
// Transpose and DequantizeLinear. Nothing where the value is none.
[[nodiscard]] Result<std::optional<OnnxWeight>> find_weight(const OnnxFile& file, NameId value);

// value = input * weight^T + bias
struct LinearMatch {
  NameId input = formats::onnx::kNoName;
  OnnxWeight weight;
  std::optional<OnnxWeight> bias;
};

// The linear layer whose result is this value, without the Add of a bias after it: MatMul or Gemm
// with a float weight, or a quantized form (weights/). Nothing where the value is none.
[[nodiscard]] Result<std::optional<LinearMatch>> find_product(const OnnxFile& file, NameId value);

// The linear layer whose result is this value, with the Add of a bias if there is one.
[[nodiscard]] Result<std::optional<LinearMatch>> find_linear(const OnnxFile& file, NameId value);

// The table from whose rows a Gather takes this value, and the indices (`input`).
[[nodiscard]] Result<std::optional<LinearMatch>> find_embedding(const OnnxFile& file, NameId value);

}  // namespace ambry::convert::onnx
