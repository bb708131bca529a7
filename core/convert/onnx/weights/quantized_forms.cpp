#include "convert/onnx/weights/quantized_forms.h"

#include <utility>

#include "convert/onnx/weights/affine_matrix.h"
#include "convert/onnx/weights/constant_values.h"
#include "convert/onnx/weights/product_forms.h"

namespace ambry::convert::onnx {

using formats::onnx::kNoName;
using formats::onnx::Node;
using formats::onnx::Tensor;

namespace {

// The scale and zero point of a DequantizeLinear.
struct Dequantization {
  const Tensor* scale = nullptr;
  const Tensor* zero_point = nullptr;
};

// Nothing in `scale` where they are no constants.
Dequantization dequantization_of(const OnnxFile& file, const Node& node) {
  const NameId zero_point = file.input(node, 2);
  Dequantization found{file.constant(file.input(node, 1)), file.constant(zero_point)};
  if (zero_point != kNoName && found.zero_point == nullptr) found.scale = nullptr;
  return found;
}

bool is_dequantize(const OnnxFile& file, const Node* node) {
  return node != nullptr && (file.model().is(*node, "DequantizeLinear") ||
                             file.model().is(*node, "DequantizeLinear", "com.microsoft"));
}

}  // namespace

Result<std::optional<OnnxWeight>> find_dequantized(const OnnxFile& file, NameId value) {
  const Node* node = file.producer(value);
  if (!is_dequantize(file, node)) return std::optional<OnnxWeight>();
  const Tensor* codes = file.constant(file.input(*node, 0));
  const Dequantization from = dequantization_of(file, *node);
  if (codes == nullptr || from.scale == nullptr) return std::optional<OnnxWeight>();
  AMBRY_TRY(PackedMatrix matrix,
            affine_matrix(file, *node,
                          {codes, from.scale, from.zero_point, file.int_of(*node, "axis", 1),
                           file.int_of(*node, "block_size", 0)}));
  return std::optional(weight_of(std::move(matrix)));
}

Result<std::optional<LinearMatch>> find_quantized_product(const OnnxFile& file, NameId value) {
  const Node* node = file.producer(value);
  if (node == nullptr || file.output(*node) != value) return std::optional<LinearMatch>();
  AMBRY_TRY(auto match, find_block_product(file, *node));
  if (match) return match;
  return find_dynamic_product(file, *node);
}

Result<std::optional<LinearMatch>> find_quantized_embedding(const OnnxFile& file, NameId value) {
  const Node* node = file.producer(value);
  if (node == nullptr) return std::optional<LinearMatch>();
  LinearMatch match;
  if (file.model().is(*node, "GatherBlockQuantized", "com.microsoft")) {
    AMBRY_TRY(PackedMatrix matrix, matrix_of_gather_blocks(file, *node));
    match.input = file.input(*node, 1);
    match.weight = weight_of(std::move(matrix));
    return std::optional(std::move(match));
  }
  if (!is_dequantize(file, node)) return std::optional<LinearMatch>();
  const Node* gather = file.producer(file.input(*node, 0));
  if (gather == nullptr || !file.model().is(*gather, "Gather")) return std::optional<LinearMatch>();
  const Tensor* codes = file.constant(file.input(*gather, 0));
  const Dequantization from = dequantization_of(file, *node);
  if (codes == nullptr || from.scale == nullptr) return std::optional<LinearMatch>();
  AMBRY_TRY(const tensor::Shape table, stated_shape(file, *codes));
  AMBRY_TRY(const tensor::Shape scales, stated_shape(file, *from.scale));
  if (file.int_of(*gather, "axis", 0) != 0 || table.rank() != 2) {
    return file.refuse(*gather, "its codes are no matrix whose rows are taken");
  }
  if (scales.count() != 1 || file.int_of(*node, "block_size", 0) != 0) {
    return file.refuse(*node, "rows of codes with more than one scale");
  }
  AMBRY_TRY(PackedMatrix matrix,
            affine_matrix(file, *node, {codes, from.scale, from.zero_point, 1, 0}));
  match.input = file.input(*gather, 1);
  match.weight = weight_of(std::move(matrix));
  return std::optional(std::move(match));
}

}  // namespace ambry::convert::onnx
