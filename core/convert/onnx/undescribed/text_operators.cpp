#include "convert/onnx/undescribed/text_operators.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "convert/onnx/matching/graph_values.h"

namespace ambry::convert::onnx {
namespace {

using namespace std::string_view_literals;

using formats::onnx::Node;
using formats::onnx::Operator;

// The products of weights, which have no rules of their own (convert/onnx/weights).
constexpr std::array<std::string_view, 8> kProducts = {
    "Gemm",        "MatMulInteger", "DynamicQuantizeLinear", "DynamicQuantizeMatMul",
    "MatMulNBits", "MatMulBnb4",    "MatMulIntegerToFloat",  "DequantizeLinear"};

// What the walk over a language model looks for (convert/onnx/decoders), besides products
// and norms.
constexpr std::array kDecoderOperators = {  // by name
    "Add"sv,
    "Cast"sv,
    "Constant"sv,
    "Div"sv,
    "FastGelu"sv,
    "Gather"sv,
    "GatherBlockQuantized"sv,
    "Gelu"sv,
    "Greater"sv,
    "GroupQueryAttention"sv,
    "Identity"sv,
    "If"sv,
    "MatMul"sv,
    "Mul"sv,
    "QuickGelu"sv,
    "ReduceSum"sv,
    "Reshape"sv,
    "RotaryEmbedding"sv,
    "Shape"sv,
    "Sigmoid"sv,
    "Split"sv,
    "Sub"sv,
    "Tanh"sv,
    "Transpose"sv,
    "Unsqueeze"sv};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool has_rule(std::string_view op) {
  constexpr std::array kFinders = {term_rule, text_rule,   move_rule,
                                   part_rule, number_rule, fused_rule};
  return std::ranges::any_of(kFinders, [&](auto find) { return find(op) != nullptr; });
}

// Looks at each operator once: a graph may have a million nodes.
template <typename Fits>
size_t count_fitting(const OnnxFile& file, Fits fits) {
  const formats::onnx::OnnxModel& model = file.model();
  std::vector<uint8_t> known;
  for (const Operator& called : model.operators) {
    const std::string_view domain = model.names[called.domain];
    const bool is_usual = domain.empty() || domain == "com.microsoft";
    known.push_back(is_usual && fits(model.names[called.op_type]) ? 1 : 0);
  }
  const auto& nodes = file.graph().nodes;
  const auto first =
      std::ranges::find_if(nodes, [&](const Node& node) { return known[node.op] == 0; });
  return static_cast<size_t>(first - nodes.begin());
}

}  // namespace

size_t count_encoder_nodes(const OnnxFile& file) {
  return count_fitting(
      file, [](std::string_view op) { return has_rule(op) || is_one_of(kProducts, op); });
}

size_t count_decoder_nodes(const OnnxFile& file) {
  const formats::onnx::OnnxModel& model = file.model();
  const bool attends = std::ranges::any_of(file.graph().nodes, [&](const Node& node) {
    return model.is(node, "GroupQueryAttention", "com.microsoft");
  });
  if (!attends) return 0;
  return count_fitting(file, [](std::string_view op) {
    return is_one_of(kDecoderOperators, op) || is_one_of(kProducts, op) ||
           op.ends_with("SimplifiedLayerNormalization");
  });
}

}  // namespace ambry::convert::onnx
