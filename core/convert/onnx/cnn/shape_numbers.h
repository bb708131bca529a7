// Shapes that a graph computes from the shapes of its values, such as `[batch, 512]`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "convert/onnx/cnn/op_rules.h"
#include "convert/onnx/graph/onnx_file.h"

namespace ambry::convert::onnx {

// Stands for the number of pictures, where the graph takes any.
inline constexpr int64_t kAnyBatch = INT64_MIN;

struct ShapeNumbers {
  std::vector<int64_t> numbers;
  bool is_list = true;  // false: one number without an axis
};

// The integers that the file has as this value: a small constant of int64 or int32. Nothing for
// other values. NeedBytes while its bytes are missing.
[[nodiscard]] Result<std::optional<ShapeNumbers>> shape_constant(const OnnxFile& file,
                                                                 NameId value);

// The result of one of Gather, Unsqueeze, Concat, Cast and Identity over such integers, which are
// the inputs of the node. Unsupported for anything else.
[[nodiscard]] Result<ShapeNumbers> compute_numbers(const OnnxFile& file,
                                                   const formats::onnx::Node& node, CnnOperator op,
                                                   const std::vector<ShapeNumbers>& inputs);

}  // namespace ambry::convert::onnx
