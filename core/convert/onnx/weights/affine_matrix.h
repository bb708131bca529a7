// Codes of one type with scales and zero points of the tensor, of an axis or of blocks, as
// DequantizeLinear defines them.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "convert/checkpoint_quantization/packed_matrix.h"
#include "convert/onnx/weights/linear.h"

namespace ambry::convert::onnx {

struct AffineCodes {
  const formats::onnx::Tensor* codes = nullptr;
  const formats::onnx::Tensor* scale = nullptr;
  const formats::onnx::Tensor* zero_point = nullptr;  // may be null
  int64_t axis = 1;
  int64_t block = 0;  // 0: one scale for the tensor or for each index along the axis
};

// The matrix with the axes of the codes. Errors name the node.
[[nodiscard]] Result<PackedMatrix> affine_matrix(const OnnxFile& file,
                                                 const formats::onnx::Node& node,
                                                 const AffineCodes& from);

struct ZeroPoints {
  const formats::onnx::Tensor* tensor = nullptr;
  PackedCodes packed;  // if its count is not 0: how the tensor has the numbers of all groups
  int absent = 0;      // the zero point of all groups, where there is no tensor
};
// Sets the zero points of a matrix whose codes and groups are set, and the range of its codes.
[[nodiscard]] Result<void> set_zero_points(const OnnxFile& file, const formats::onnx::Node& node,
                                           const ZeroPoints& zeros, PackedMatrix& matrix);

// Unsupported unless the tensor has a type that scales may have.
[[nodiscard]] Result<void> expect_float_type(const OnnxFile& file, const formats::onnx::Node& node,
                                             const formats::onnx::Tensor& tensor);

// The weight in the shape of the matrix.
[[nodiscard]] OnnxWeight weight_of(PackedMatrix matrix);

}  // namespace ambry::convert::onnx
