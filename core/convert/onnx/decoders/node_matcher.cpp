#include "convert/onnx/decoders/node_matcher.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "convert/onnx/graph/graph_constants.h"
#include "io/json/json.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::Attribute;
using formats::onnx::AttributeType;
using formats::onnx::DataType;
using formats::onnx::kNoName;
using formats::onnx::Node;
using formats::onnx::Tensor;

bool is_float_type(int64_t type) {
  return type == static_cast<int64_t>(DataType::Float) ||
         type == static_cast<int64_t>(DataType::Float16) ||
         type == static_cast<int64_t>(DataType::Bfloat16);
}

// The number of an attribute. Nothing for one of another type.
std::optional<double> number_of(const Attribute& attribute) {
  if (attribute.is_reference) return std::nullopt;
  if (attribute.type == AttributeType::Int) return static_cast<double>(attribute.i());
  if (attribute.type == AttributeType::Float) return attribute.f();
  return std::nullopt;
}

// Numbers in files are f32.
bool same_number(double a, double b) { return std::fabs(a - b) <= 1e-6 * std::fabs(b); }

std::string text_of(double number) { return io::Json(number).dump(); }

}  // namespace

NodeMatcher::NodeMatcher(const OnnxFile& file) : file_(file), met_(file.graph().nodes.size()) {}

bool NodeMatcher::is(NameId value, std::string_view op, std::string_view domain) const {
  const Node* node = file_.producer(value);
  return node != nullptr && file_.model().is(*node, op, domain) && file_.output(*node) == value;
}

NameId NodeMatcher::before_casts(NameId value) {
  // A circle of Casts is met once only.
  for (size_t n = 0; n < met_.size() && is(value, "Cast"); ++n) {
    const Node& cast = *file_.producer(value);
    if (!is_float_type(file_.int_of(cast, "to", 0))) break;
    meet(cast);
    value = file_.input(cast, 0);
  }
  return value;
}

Failure NodeMatcher::refuse_value(NameId value, const Text& why) const {
  const Node* node = file_.producer(value);
  if (node != nullptr) return file_.refuse(*node, why);
  const Tensor* constant = file_.constant(value);
  return error_at(ErrorCode::Unsupported, constant == nullptr ? kNoOffset : constant->byte_offset,
                  name_of(value), why);
}

Result<void> NodeMatcher::check_attributes(const Node& node,
                                           std::initializer_list<AttributeRule> rules) const {
  const auto& model = file_.model();
  for (const Attribute& attribute : file_.graph().attributes_of(node)) {
    const std::string_view name = model.names[attribute.name];
    if (std::ranges::find(rules, name, &AttributeRule::name) != rules.end()) continue;
    return file_.refuse(node, {"the attribute ", name, " is not known"});
  }
  for (const AttributeRule& rule : rules) {
    if (rule.expected == kAnyNumber) continue;
    const Attribute* attribute = model.find(file_.graph(), node, rule.name);
    const auto number = attribute == nullptr ? rule.without : number_of(*attribute);
    if (number && same_number(*number, rule.expected)) continue;
    return file_.refuse(
        node, {"the attribute ", rule.name, " is ", number ? text_of(*number) : "no number",
               ", but config.json asks for ", text_of(rule.expected)});
  }
  return {};
}

Result<const Node*> NodeMatcher::expect(NameId value, std::string_view op, std::string_view domain,
                                        size_t n_inputs,
                                        std::initializer_list<AttributeRule> rules) {
  if (!is(value, op, domain)) return refuse_value(value, {"expected the result of ", op});
  const Node& node = *file_.producer(value);
  const auto inputs = file_.graph().inputs_of(node);
  for (size_t i = n_inputs; i < inputs.size(); ++i) {
    if (inputs[i] == kNoName) continue;
    return file_.refuse(node, {"the input ", i, " (", name_of(inputs[i]), ") is not known here"});
  }
  AMBRY_RETURN_IF_ERROR(check_attributes(node, rules));
  meet(node);
  return &node;
}

Result<std::vector<double>> NodeMatcher::numbers_of(const Tensor& constant) const {
  AMBRY_TRY(auto numbers, constant_numbers(file_, constant));
  return numbers ? std::move(numbers->on) : std::vector<double>();
}

Result<NumberMatch> NodeMatcher::expect_number(NameId value, std::string_view op, double number,
                                               double tolerance) {
  AMBRY_TRY(const Node* node, expect(value, op, {}, 2));
  const bool first = op != "Div" && file_.constant(file_.input(*node, 0)) != nullptr;
  const Tensor* constant = file_.constant(file_.input(*node, first ? 0 : 1));
  if (constant == nullptr) return file_.refuse(*node, "expected a constant of one number");
  AMBRY_TRY(const std::vector<double> numbers, numbers_of(*constant));
  if (numbers.size() != 1 || !(std::fabs(numbers[0] - number) <= tolerance)) {
    return file_.refuse(
        *node, {"the constant is ", numbers.size() == 1 ? text_of(numbers[0]) : "no number",
                ", but config.json asks for ", text_of(number)});
  }
  return NumberMatch{file_.input(*node, first ? 1 : 0), numbers[0]};
}

Result<void> NodeMatcher::expect_integers(const Node& user, NameId value,
                                          std::initializer_list<int64_t> numbers) const {
  const Tensor* constant = file_.constant(value);
  if (constant == nullptr) return file_.refuse(user, "expected constant integers");
  AMBRY_TRY(const std::vector<double> stored, numbers_of(*constant));
  const bool same = std::ranges::equal(
      stored, numbers, [](double a, int64_t b) { return a == static_cast<double>(b); });
  if (same) return {};
  return file_.refuse(user, {"the constant ", name_of(value), " has other numbers than expected"});
}

Result<LinearMatch> NodeMatcher::expect_linear(NameId value) {
  value = before_casts(value);
  AMBRY_TRY(auto match, find_linear(file_, value));
  if (!match) return refuse_value(value, "expected a linear layer");
  meet_until(value, match->input);
  return std::move(*match);
}

Result<LinearMatch> NodeMatcher::expect_embedding(NameId value) {
  AMBRY_TRY(auto match, find_embedding(file_, value));
  if (!match) return refuse_value(value, "expected rows of the embedding");
  meet_until(value, match->input);
  return std::move(*match);
}

Result<OnnxWeight> NodeMatcher::expect_weight(const Node& user, NameId value) {
  AMBRY_TRY(auto weight, find_weight(file_, value));
  if (!weight)
    return file_.refuse(user, {"the input ", name_of(value), " is no constant of floats"});
  meet_until(value, kNoName);
  return std::move(*weight);
}

void NodeMatcher::meet(const Node& node) {
  met_[static_cast<size_t>(&node - file_.graph().nodes.data())] = 1;
}

void NodeMatcher::meet_until(NameId value, NameId end) {
  std::vector<NameId> values = {value};
  while (!values.empty()) {
    const NameId next = values.back();
    values.pop_back();
    const Node* node = next == end ? nullptr : file_.producer(next);
    if (node == nullptr || met_[static_cast<size_t>(node - file_.graph().nodes.data())] != 0) {
      continue;
    }
    meet(*node);
    for (const NameId input : file_.graph().inputs_of(*node)) values.push_back(input);
  }
}

Result<void> NodeMatcher::check_all_met() const {
  for (size_t i = 0; i < met_.size(); ++i) {
    const Node& node = file_.graph().nodes[i];
    if (met_[i] != 0 || file_.model().is(node, "Constant")) continue;
    return file_.refuse(node, "this node is no part of the model that config.json states");
  }
  return {};
}

}  // namespace ambry::convert::onnx
