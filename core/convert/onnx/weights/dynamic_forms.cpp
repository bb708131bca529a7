// What onnxruntime's dynamic quantizer writes for a MatMul with a constant, x W:
//
//   q, s, z = DynamicQuantizeLinear(x)
//   Mul(Cast(MatMulInteger(q, codes, z, zero point)), Mul(s, scale))
//
// and the operators of com.microsoft that stand for these nodes. Codes are [in, out].
#include <array>
#include <utility>

#include "convert/onnx/weights/affine_matrix.h"
#include "convert/onnx/weights/constant_values.h"
#include "convert/onnx/weights/product_forms.h"
#include "convert/onnx/weights/quantized_forms.h"

namespace ambry::convert::onnx {

using formats::onnx::DataType;
using formats::onnx::kNoName;
using formats::onnx::Node;
using formats::onnx::Tensor;

namespace {

constexpr std::string_view kDomain = "com.microsoft";

// The value that DynamicQuantizeLinear quantizes; kNoName unless all three of its outputs are used
// as such. A zero point that is not given counts as 0, so it must be given.
NameId quantized_from(const OnnxFile& file, NameId codes, NameId scale, NameId zero_point) {
  const Node* node = file.producer(codes);
  if (node == nullptr || !file.model().is(*node, "DynamicQuantizeLinear")) return kNoName;
  const bool whole = file.output(*node, 0) == codes && file.output(*node, 1) == scale &&
                     file.output(*node, 2) == zero_point;
  return whole ? file.input(*node, 0) : kNoName;
}

// The matrix [out, in] of codes that are stored as [in, out]. `zero_point` may be null.
Result<PackedMatrix> matrix_of_codes(const OnnxFile& file, const Node& node, const Tensor& codes,
                                     const Tensor& scale, const Tensor* zero_point) {
  AMBRY_TRY(const tensor::Shape shape, stated_shape(file, codes));
  if (shape.rank() != 2) return file.refuse(node, "its codes are no matrix");
  AMBRY_TRY(const tensor::Shape scales, stated_shape(file, scale));
  // More axes than the result has would change its shape.
  if (scales.rank() > 1) return file.refuse(node, "its scales are no list");
  AMBRY_TRY(PackedMatrix matrix, affine_matrix(file, node, {&codes, &scale, zero_point, 1, 0}));
  return transposed(std::move(matrix));
}

// The optional constant input of this number: null where it is left out.
Result<const Tensor*> optional_constant(const OnnxFile& file, const Node& node, size_t number) {
  if (file.input(node, number) == kNoName) return nullptr;
  const Tensor* tensor = file.constant(file.input(node, number));
  if (tensor != nullptr) return tensor;
  return file.refuse(node, {"its input ", number, " is no constant"});
}

// The operators of one node.
struct DynamicForm {
  std::string_view op_type;
  size_t scale;  // the numbers of the inputs of the weight's scale, zero point and bias
  size_t zero_point;
  size_t bias;
};
constexpr std::array kDynamicForms = {DynamicForm{"DynamicQuantizeMatMul", 2, 3, 4},
                                      DynamicForm{"MatMulIntegerToFloat", 3, 5, 6}};

Result<std::optional<LinearMatch>> match_node(const OnnxFile& file, const Node& node,
                                              const DynamicForm& form) {
  LinearMatch match;
  match.input = file.input(node, 0);
  if (form.op_type == "MatMulIntegerToFloat") {
    match.input =
        quantized_from(file, file.input(node, 0), file.input(node, 2), file.input(node, 4));
  }
  const Tensor* codes = file.constant(file.input(node, 1));
  const Tensor* scale = file.constant(file.input(node, form.scale));
  if (match.input == kNoName || codes == nullptr || scale == nullptr) {
    return std::optional<LinearMatch>();
  }
  AMBRY_TRY(const Tensor* zero_point, optional_constant(file, node, form.zero_point));
  AMBRY_TRY(PackedMatrix matrix, matrix_of_codes(file, node, *codes, *scale, zero_point));
  if (file.input(node, form.bias) != kNoName) {
    AMBRY_TRY(match.bias, find_weight(file, file.input(node, form.bias)));
    if (!match.bias || match.bias->shape() != tensor::Shape{matrix.rows}) {
      return file.refuse(node, {"its bias is no list of ", matrix.rows, " constants"});
    }
  }
  match.weight = weight_of(std::move(matrix));
  return std::optional(std::move(match));
}

// The Cast of a MatMulInteger to float, and that MatMulInteger.
const Node* integer_product(const OnnxFile& file, NameId value) {
  const Node* cast = file.producer(value);
  if (cast == nullptr || !file.model().is(*cast, "Cast")) return nullptr;
  if (file.int_of(*cast, "to", 0) != static_cast<int64_t>(DataType::Float)) return nullptr;
  const Node* product = file.producer(file.input(*cast, 0));
  return product != nullptr && file.model().is(*product, "MatMulInteger") ? product : nullptr;
}

// The scale of the weight in a product of two scales, and the scale of the activation.
const Tensor* weight_scale(const OnnxFile& file, NameId value, NameId& activation_scale) {
  const Node* node = file.producer(value);
  if (node == nullptr || !file.model().is(*node, "Mul")) return nullptr;
  for (size_t i = 0; i < 2; ++i) {
    activation_scale = file.input(*node, 1 - i);
    const Tensor* scale = file.constant(file.input(*node, i));
    if (scale != nullptr) return scale;
  }
  return nullptr;
}

}  // namespace

Result<std::optional<LinearMatch>> find_dynamic_product(const OnnxFile& file, const Node& node) {
  for (const DynamicForm& form : kDynamicForms) {
    if (file.model().is(node, form.op_type, kDomain)) return match_node(file, node, form);
  }
  if (!file.model().is(node, "Mul")) return std::optional<LinearMatch>();
  for (size_t i = 0; i < 2; ++i) {
    const Node* product = integer_product(file, file.input(node, i));
    if (product == nullptr) continue;
    NameId activation_scale = kNoName;
    const Tensor* scale = weight_scale(file, file.input(node, 1 - i), activation_scale);
    const Tensor* codes = file.constant(file.input(*product, 1));
    LinearMatch match;
    match.input =
        quantized_from(file, file.input(*product, 0), activation_scale, file.input(*product, 2));
    if (match.input == kNoName || scale == nullptr || codes == nullptr) break;
    AMBRY_TRY(const Tensor* zero_point, optional_constant(file, *product, 3));
    AMBRY_TRY(PackedMatrix matrix, matrix_of_codes(file, *product, *codes, *scale, zero_point));
    match.weight = weight_of(std::move(matrix));
    return std::optional(std::move(match));
  }
  return std::optional<LinearMatch>();
}

}  // namespace ambry::convert::onnx
