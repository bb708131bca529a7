// The products of one family of operators each. Nothing where the node is none of them.
#pragma once

#include <optional>

#include "base/result.h"
#include "convert/onnx/weights/linear.h"

namespace ambry::convert::onnx {

// MatMulNBits and MatMulBnb4.
[[nodiscard]] Result<std::optional<LinearMatch>> find_block_product(
    const OnnxFile& file, const formats::onnx::Node& node);

// MatMulInteger and the operators that stand for it and its neighbours.
[[nodiscard]] Result<std::optional<LinearMatch>> find_dynamic_product(
    const OnnxFile& file, const formats::onnx::Node& node);

}  // namespace ambry::convert::onnx
