// Weights that a quantizer of ONNX files has written, as matrices of codes.
//
//   DequantizeLinear                  of a constant: by tensor, axis or block
//   MatMulInteger                     of DynamicQuantizeLinear, with Cast and Mul of the scales
//   DynamicQuantizeMatMul,
//   MatMulIntegerToFloat              the same in one node
//   MatMulNBits, GatherBlockQuantized 2, 4 and 8 bits, by block
//   MatMulBnb4                        NF4 and FP4, by block
//
// Quantization of activations is left to the code that runs the model.
#pragma once

#include <optional>

#include "base/result.h"
#include "convert/onnx/weights/linear.h"

namespace ambry::convert::onnx {

// The constant that a DequantizeLinear makes, in the order of its own axes. Nothing where the value
// is none.
[[nodiscard]] Result<std::optional<OnnxWeight>> find_dequantized(const OnnxFile& file,
                                                                 NameId value);

// The linear layer whose result is this value, in one of the quantized forms. Nothing where the
// value is none. Unsupported for settings of these operators that change the result.
[[nodiscard]] Result<std::optional<LinearMatch>> find_quantized_product(const OnnxFile& file,
                                                                        NameId value);

// The table of codes from whose rows this value is taken, and the indices (`input`).
[[nodiscard]] Result<std::optional<LinearMatch>> find_quantized_embedding(const OnnxFile& file,
                                                                          NameId value);

// The matrices of these nodes. The caller has looked at the operator.
[[nodiscard]] Result<PackedMatrix> matrix_of_nbits(const OnnxFile& file,
                                                   const formats::onnx::Node& node);
[[nodiscard]] Result<PackedMatrix> matrix_of_bnb4(const OnnxFile& file,
                                                  const formats::onnx::Node& node);
[[nodiscard]] Result<PackedMatrix> matrix_of_gather_blocks(const OnnxFile& file,
                                                           const formats::onnx::Node& node);

}  // namespace ambry::convert::onnx
