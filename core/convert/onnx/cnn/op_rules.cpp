#include "convert/onnx/cnn/op_rules.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace ambry::convert::onnx {
namespace {

using formats::onnx::Attribute;
using formats::onnx::AttributeType;
using formats::onnx::kNoName;
using formats::onnx::Node;

struct AttributeRule {
  std::string_view name;
  formats::onnx::AttributeType type = formats::onnx::AttributeType::Int;
  // The versions of the operators that have it.
  uint8_t since = 1;
  uint8_t until = UINT8_MAX;
};

struct OperatorRule {
  std::string_view name;
  uint8_t min_inputs = 1;
  uint8_t max_inputs = 1;
  std::span<const AttributeRule> attributes;
};

constexpr auto kInt = AttributeType::Int;
constexpr auto kInts = AttributeType::Ints;
constexpr auto kFloat = AttributeType::Float;
constexpr auto kText = AttributeType::String;

constexpr std::array kConv = {
    AttributeRule{"auto_pad", kText},     AttributeRule{"dilations", kInts},
    AttributeRule{"kernel_shape", kInts}, AttributeRule{"pads", kInts},
    AttributeRule{"strides", kInts},      AttributeRule{"group", kInt}};
constexpr std::array kMaxPool = {
    AttributeRule{"auto_pad", kText},       AttributeRule{"dilations", kInts, 10},
    AttributeRule{"kernel_shape", kInts},   AttributeRule{"pads", kInts},
    AttributeRule{"strides", kInts},        AttributeRule{"ceil_mode", kInt, 10},
    AttributeRule{"storage_order", kInt, 8}};
constexpr std::array kAveragePool = {
    AttributeRule{"auto_pad", kText},        AttributeRule{"dilations", kInts, 19},
    AttributeRule{"kernel_shape", kInts},    AttributeRule{"pads", kInts},
    AttributeRule{"strides", kInts},         AttributeRule{"ceil_mode", kInt, 10},
    AttributeRule{"count_include_pad", kInt}};
constexpr std::array kNorm = {AttributeRule{"epsilon", kFloat}, AttributeRule{"momentum", kFloat},
                              AttributeRule{"training_mode", kInt, 14},
                              AttributeRule{"spatial", kInt, 1, 8}};
constexpr std::array kReduce = {AttributeRule{"axes", kInts}, AttributeRule{"keepdims", kInt},
                                AttributeRule{"noop_with_empty_axes", kInt, 18}};
constexpr std::array kAxes = {AttributeRule{"axes", kInts}};
constexpr std::array kAxis = {AttributeRule{"axis", kInt}};
constexpr std::array kReshape = {AttributeRule{"allowzero", kInt, 14}};
constexpr std::array kGemm = {AttributeRule{"alpha", kFloat}, AttributeRule{"beta", kFloat},
                              AttributeRule{"transA", kInt}, AttributeRule{"transB", kInt}};
constexpr std::array kDropout = {AttributeRule{"ratio", kFloat, 1, 11},
                                 AttributeRule{"seed", kInt, 12}};
constexpr std::array kShape = {AttributeRule{"start", kInt, 15}, AttributeRule{"end", kInt, 15}};
constexpr std::array kCast = {AttributeRule{"to", kInt}, AttributeRule{"saturate", kInt, 19}};
constexpr std::array kConstant = {AttributeRule{"value", AttributeType::Tensor},
                                  AttributeRule{"value_int", kInt, 12},
                                  AttributeRule{"value_ints", kInts, 12}};
constexpr std::array kPerm = {AttributeRule{"perm", kInts}};

// In the order of CnnOperator.
constexpr std::array<OperatorRule, 24> kRules = {{
    {"Conv", 2, 3, kConv},
    {"BatchNormalization", 5, 5, kNorm},
    {"Relu", 1, 1, {}},
    {"MaxPool", 1, 1, kMaxPool},
    {"AveragePool", 1, 1, kAveragePool},
    {"GlobalMaxPool", 1, 1, {}},
    {"GlobalAveragePool", 1, 1, {}},
    {"ReduceMean", 1, 2, kReduce},
    {"Add", 2, 2, {}},
    {"Concat", 1, 8, kAxis},
    {"Flatten", 1, 1, kAxis},
    {"Reshape", 2, 2, kReshape},
    {"Squeeze", 1, 2, kAxes},
    {"Gemm", 2, 3, kGemm},
    {"MatMul", 2, 2, {}},
    {"Softmax", 1, 1, kAxis},
    {"Identity", 1, 1, {}},
    {"Dropout", 1, 3, kDropout},
    {"Shape", 1, 1, kShape},
    {"Gather", 2, 2, kAxis},
    {"Unsqueeze", 1, 2, kAxes},
    {"Cast", 1, 1, kCast},
    {"Constant", 0, 0, kConstant},
    {"Transpose", 1, 1, kPerm},
}};

Result<void> check_attributes(const OnnxFile& file, const Node& node, const OperatorRule& rule) {
  const int64_t version = file.model().opset();
  for (const Attribute& attribute : file.graph().attributes_of(node)) {
    const std::string_view name = file.model().names[attribute.name];
    const auto known = std::ranges::find(rule.attributes, name, &AttributeRule::name);
    if (known == rule.attributes.end() || version < known->since || version > known->until) {
      return file.refuse(node, {"the attribute ", name, " is not supported"});
    }
    if (known->type != attribute.type || attribute.is_reference) {
      return file.refuse(node, {"the attribute ", name, " has another type"});
    }
    if (file.model().find(file.graph(), node, name) != &attribute) {
      return file.refuse(node, {"there are two attributes ", name});
    }
  }
  return {};
}

}  // namespace

Result<CnnOperator> cnn_operator(const OnnxFile& file, const Node& node) {
  const std::string_view op = file.model().op_type(node);
  const auto rule = std::ranges::find(kRules, op, &OperatorRule::name);
  if (rule == kRules.end() || !file.model().domain_of(node).empty()) {
    return file.refuse(node, "a network for pictures cannot have this operator");
  }
  const auto inputs = file.graph().inputs_of(node);
  if (inputs.size() < rule->min_inputs || inputs.size() > rule->max_inputs ||
      std::ranges::find(inputs.first(rule->min_inputs), kNoName) !=
          inputs.begin() + rule->min_inputs) {
    return file.refuse(node, {uint64_t{inputs.size()}, " inputs are not supported"});
  }
  // Further outputs are masks and statistics of training.
  const auto outputs = file.graph().outputs_of(node);
  if (outputs.empty() || outputs[0] == kNoName ||
      std::ranges::any_of(outputs.subspan(1), [](NameId name) { return name != kNoName; })) {
    return file.refuse(node, "only the first output is supported");
  }
  AMBRY_RETURN_IF_ERROR(check_attributes(file, node, *rule));
  return static_cast<CnnOperator>(rule - kRules.begin());
}

}  // namespace ambry::convert::onnx
