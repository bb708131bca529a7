// Constants of a graph that matrices of codes are made of.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "convert/checkpoint_quantization/packed_matrix.h"
#include "convert/onnx/graph/onnx_file.h"
#include "convert/plan/plan.h"

namespace ambry::convert::onnx {

// Scales and zero points are read before the conversion begins where there are at most this many.
inline constexpr uint64_t kFewNumbers = 4096;

// The shape of the tensor. BadValue for extents that are 0 or negative, too large or too many.
[[nodiscard]] Result<tensor::Shape> stated_shape(const OnnxFile& file,
                                                 const formats::onnx::Tensor& tensor);

// The tensor as a range of a file. Unsupported where it is none.
[[nodiscard]] Result<Input> input_of(const OnnxFile& file, const formats::onnx::Tensor& tensor);

// Scales or zero points. Few of them are given at once. On NeedBytes, load the bytes and call it
// again.
[[nodiscard]] Result<SharedNumbers> shared_numbers(const OnnxFile& file,
                                                   const formats::onnx::Tensor& tensor);

}  // namespace ambry::convert::onnx
