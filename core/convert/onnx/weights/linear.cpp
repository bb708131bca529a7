#include "convert/onnx/weights/linear.h"

#include <array>
#include <utility>

#include "convert/onnx/graph/graph_constants.h"
#include "convert/onnx/weights/quantized_forms.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::kNoName;
using formats::onnx::Node;
using formats::onnx::Tensor;
using OptionalWeight = std::optional<OnnxWeight>;
using OptionalMatch = std::optional<LinearMatch>;

// Chains of nodes between a weight and its use are short.
constexpr int kMaxChain = 16;

Result<OptionalWeight> stored_weight(const OnnxFile& file, const Tensor& tensor) {
  OnnxWeight weight;
  AMBRY_TRY(auto input, stored_input(file, tensor));
  if (input) {
    if (!tensor::is_float(input->tensor.dtype)) return OptionalWeight();
    weight.input = std::move(*input);
    return OptionalWeight(std::move(weight));
  }
  AMBRY_TRY(auto numbers, constant_numbers(file, tensor));
  if (!numbers || numbers->type != Numbers::Type::Float) return OptionalWeight();
  model::TensorEntry& entry = weight.input.tensor;
  entry.name = file.model().names[tensor.name];
  entry.index_offset = tensor.byte_offset;
  for (const Dim& dim : numbers->dims) {
    if (entry.shape.rank() == tensor::Shape::kMaxRank) return OptionalWeight();
    entry.shape.push_back(static_cast<uint64_t>(dim.factor));
  }
  weight.given.assign(numbers->on.begin(), numbers->on.end());
  entry.bytes = weight.given.size() * sizeof(float);
  return OptionalWeight(std::move(weight));
}

bool is_float_type(int64_t type) {
  using formats::onnx::DataType;
  constexpr std::array kFloats = {DataType::Float, DataType::Float16, DataType::Bfloat16,
                                  DataType::Double};
  for (const DataType known : kFloats) {
    if (type == static_cast<int64_t>(known)) return true;
  }
  return false;
}

Result<OptionalWeight> weight_behind(const OnnxFile& file, NameId value, int left) {
  if (const Tensor* tensor = file.constant(value)) return stored_weight(file, *tensor);
  const Node* node = file.producer(value);
  if (node == nullptr || left == 0) return OptionalWeight();
  AMBRY_TRY(auto dequantized, find_dequantized(file, value));
  if (dequantized) return dequantized;
  const auto& model = file.model();
  const bool casts = model.is(*node, "Cast") && is_float_type(file.int_of(*node, "to", 0));
  const bool transposes = model.is(*node, "Transpose");
  if (!casts && !transposes && !model.is(*node, "Identity")) return OptionalWeight();
  AMBRY_TRY(auto weight, weight_behind(file, file.input(*node, 0), left - 1));
  if (!weight || !transposes) return weight;
  const auto order = file.ints_of(*node, "perm");
  if (order && *order != std::vector<int64_t>{1, 0}) return OptionalWeight();
  return transposed(std::move(*weight));
}

bool fits(const OptionalWeight& weight, size_t rank) {
  return weight && weight->shape().rank() == rank;
}

Result<OptionalMatch> gemm(const OnnxFile& file, const Node& node) {
  if (file.int_of(node, "transA", 0) != 0 || file.float_of(node, "alpha", 1) != 1 ||
      file.float_of(node, "beta", 1) != 1) {
    return OptionalMatch();
  }
  AMBRY_TRY(auto weight, find_weight(file, file.input(node, 1)));
  if (!fits(weight, 2)) return OptionalMatch();
  if (file.int_of(node, "transB", 0) == 0) weight = transposed(std::move(*weight));
  if (!weight) return OptionalMatch();
  LinearMatch match{file.input(node, 0), std::move(*weight), std::nullopt};
  if (file.input(node, 2) == kNoName) return OptionalMatch(std::move(match));
  AMBRY_TRY(match.bias, find_weight(file, file.input(node, 2)));
  if (!fits(match.bias, 1)) return OptionalMatch();
  return OptionalMatch(std::move(match));
}

}  // namespace

std::optional<OnnxWeight> transposed(OnnxWeight weight) {
  model::TensorEntry& entry = weight.input.tensor;
  if (entry.shape.rank() != 2) return std::nullopt;
  const uint64_t rows = entry.shape[0];
  const uint64_t cols = entry.shape[1];
  entry.shape = {cols, rows};
  if (weight.packed) {
    if (!is_transposable(*weight.packed)) return std::nullopt;
    weight.packed = std::make_shared<PackedMatrix>(convert::transposed(*weight.packed));
    return weight;
  }
  if (!weight.given.empty()) {
    std::vector<float> turned(weight.given.size());
    for (uint64_t i = 0; i < rows * cols; ++i) {
      turned[static_cast<size_t>((i % cols) * rows + i / cols)] =
          weight.given[static_cast<size_t>(i)];
    }
    weight.given = std::move(turned);
    return weight;
  }
  auto& strides = weight.input.strides;
  if (strides.empty()) {
    strides = {1, cols};
  } else {
    std::swap(strides[0], strides[1]);
  }
  if (strides == std::vector<uint64_t>{rows, 1}) strides.clear();
  return weight;
}

Result<OptionalWeight> find_weight(const OnnxFile& file, NameId value) {
  return weight_behind(file, value, kMaxChain);
}

Result<OptionalMatch> find_product(const OnnxFile& file, NameId value) {
  const Node* node = file.producer(value);
  if (node == nullptr) return OptionalMatch();
  AMBRY_TRY(auto quantized, find_quantized_product(file, value));
  if (quantized) return quantized;
  if (file.model().is(*node, "Gemm")) return gemm(file, *node);
  if (!file.model().is(*node, "MatMul")) return OptionalMatch();
  AMBRY_TRY(auto weight, find_weight(file, file.input(*node, 1)));
  if (!fits(weight, 2)) return OptionalMatch();
  weight = transposed(std::move(*weight));
  if (!weight) return OptionalMatch();
  return OptionalMatch(LinearMatch{file.input(*node, 0), std::move(*weight), std::nullopt});
}

Result<OptionalMatch> find_linear(const OnnxFile& file, NameId value) {
  AMBRY_TRY(auto product, find_product(file, value));
  const Node* node = file.producer(value);
  if (product || node == nullptr || !file.model().is(*node, "Add")) return product;
  for (const size_t side : {size_t{0}, size_t{1}}) {
    AMBRY_TRY(auto bias, find_weight(file, file.input(*node, 1 - side)));
    if (!fits(bias, 1)) continue;
    AMBRY_TRY(auto match, find_product(file, file.input(*node, side)));
    if (!match || match->bias || bias->shape()[0] != match->weight.shape()[0]) continue;
    match->bias = std::move(*bias);
    return match;
  }
  return OptionalMatch();
}

Result<OptionalMatch> find_embedding(const OnnxFile& file, NameId value) {
  AMBRY_TRY(auto quantized, find_quantized_embedding(file, value));
  if (quantized) return quantized;
  const Node* node = file.producer(value);
  if (node == nullptr || !file.model().is(*node, "Gather")) return OptionalMatch();
  if (file.int_of(*node, "axis", 0) != 0) return OptionalMatch();
  AMBRY_TRY(auto weight, find_weight(file, file.input(*node, 0)));
  if (!fits(weight, 2)) return OptionalMatch();
  return OptionalMatch(LinearMatch{file.input(*node, 1), std::move(*weight), std::nullopt});
}

}  // namespace ambry::convert::onnx
