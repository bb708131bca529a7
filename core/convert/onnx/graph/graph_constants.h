// The tensors of an ONNX file as inputs of a conversion, and the values of small ones.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "convert/onnx/graph/numbers.h"
#include "convert/onnx/graph/onnx_file.h"
#include "convert/plan/plan.h"

namespace ambry::convert::onnx {

// Where a tensor's bytes are, and its type and shape. Integers of 4 bits are a vector of bytes that
// hold two each, the first one in the low half. Nothing where the type is none of ours, or
// the values are not in a file (Tensor::Place::Memory). NotFound for a file that is missing beside
// the graph; Truncated and Mismatch for bytes that are not those of the shape.
[[nodiscard]] Result<std::optional<Input>> stored_input(const OnnxFile& file,
                                                        const formats::onnx::Tensor& tensor);

// The values, of which there may be 2^20. Nothing where there are more, or the type is none of
// floats, integers and truth values.
[[nodiscard]] Result<std::optional<Numbers>> constant_numbers(const OnnxFile& file,
                                                              const formats::onnx::Tensor& tensor);

}  // namespace ambry::convert::onnx
