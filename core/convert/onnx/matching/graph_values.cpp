#include "convert/onnx/matching/graph_values.h"

#include <algorithm>
#include <array>
#include <utility>

#include "convert/onnx/graph/graph_constants.h"
#include "convert/onnx/graph/graph_inputs.h"

namespace ambry::convert::onnx {

using formats::onnx::DataType;
using formats::onnx::kNoName;
using formats::onnx::Tensor;
using formats::onnx::ValueInfo;

// All numbers of a graph together. Those of a real one are far fewer.
constexpr size_t kMaxNumbers = size_t{1} << 24U;

GraphValues::GraphValues(const OnnxFile& file, int64_t n_tokens)
    : file_(file), n_tokens_(n_tokens), values_(file.model().names.size()) {}

Result<void> GraphValues::read() {
  for (const Tensor& tensor : file_.graph().initializers) {
    values_[tensor.name] = {Value::Kind::Constant, kNone, kNone};
  }
  for (const ValueInfo& input : file_.graph().inputs) AMBRY_RETURN_IF_ERROR(read_input(input));
  uint32_t number = 0;
  for (const Node& node : file_.graph().nodes) {
    current_ = number++;
    terms_.set_node(current_);
    AMBRY_RETURN_IF_ERROR(read_node(node));
  }
  return {};
}

Result<void> GraphValues::read_input(const ValueInfo& input) {
  if (file_.constant(input.name) != nullptr) return {};
  const std::string_view name = file_.model().names[input.name];
  const auto refuse = [&](const Text& why) {
    return error_at(ErrorCode::Unsupported, input.byte_offset, name, why);
  };
  if (input.type != DataType::Int64 && input.type != DataType::Int32) {
    return refuse(
        "inputs of an encoder are integers: input_ids, attention_mask, token_type_ids, "
        "position_ids");
  }
  const auto dims = file_.graph().dims_of(input);
  if (input.has_shape && dims.size() != 2) return refuse("expected two axes: texts and tokens");
  if (input.has_shape && dims[1].is_number()) {
    return refuse({"the graph runs with exactly ", dims[1].number(),
                   " tokens; export it with axes of any size"});
  }
  if (!is_encoder_input(name)) {
    return refuse(
        "the graph has an input that is none of input_ids, attention_mask, token_type_ids and "
        "position_ids");
  }
  values_[input.name] = text_input(name);
  return {};
}

// An input [texts, tokens].
Value GraphValues::text_input(std::string_view name) {
  const Dims shape = {batch_dim(), token_dim()};
  if (name == "input_ids" || name == "token_type_ids") {
    return term(terms_.add(
        {.op = name == "input_ids" ? Op::Ids : Op::TypeIds, .is_integer = true, .dims = shape}));
  }
  const auto n_tokens = static_cast<size_t>(n_tokens_);
  Numbers numbers;
  numbers.type = Numbers::Type::Int;
  numbers.dims = shape;
  if (name == "position_ids") {
    // Runtimes count the tokens of each text from 0.
    for (size_t i = 0; i < n_tokens; ++i) numbers.on.push_back(static_cast<double>(i));
  } else {
    numbers.on.assign(n_tokens, 1);
    numbers.off.assign(n_tokens, 0);
    numbers.mask_axis = 1;
  }
  return add(std::move(numbers));
}

Result<void> GraphValues::read_node(const Node& node) {
  for (const NameId output : file_.graph().outputs_of(node)) values_[output] = unknown();
  // The first node that is not understood is what a caller wants to know.
  for (const NameId input : file_.graph().inputs_of(node)) {
    const Value& from = values_[input];
    if (input == kNoName || from.kind != Value::Kind::Unknown) continue;
    for (const NameId output : file_.graph().outputs_of(node)) values_[output] = from;
  }
  const NameId output = file_.output(node);
  if (file_.constant(output) != nullptr) {
    values_[output] = {Value::Kind::Constant, kNone, kNone};
    return {};
  }
  AMBRY_TRY(const auto product, find_product(file_, output));
  if (product) {
    const auto x = term_of(product->input);
    if (!x) return {};
    const uint32_t weight = add_weight(product->weight);
    const tensor::Shape& shape = weights_[weight].shape();
    if (!terms_[*x].dims.back().is(static_cast<int64_t>(shape[1]))) return {};
    const uint32_t bias = product->bias ? add_weight(*product->bias) : kNone;
    if (bias != kNone && weights_[bias].shape()[0] != shape[0]) return {};
    values_[output] =
        term(terms_.linear(*x, weight, bias, number_dim(static_cast<int64_t>(shape[0]))));
    return {};
  }
  const std::string_view domain = file_.model().domain_of(node);
  if (!domain.empty() && domain != "com.microsoft") return {};
  const std::string_view op = file_.model().op_type(node);
  for (const auto find : {term_rule, text_rule, move_rule, part_rule, number_rule, fused_rule}) {
    if (find == fused_rule && domain.empty()) break;
    const Rule rule = find(op);
    if (rule == nullptr) continue;
    AMBRY_TRY(const Value value, rule(*this, node));
    if (value.kind == Value::Kind::Unknown) continue;
    values_[output] = value;
    break;
  }
  return {};
}

Value GraphValues::value(NameId name) const { return values_[name]; }

Value GraphValues::add(std::optional<Numbers> numbers) {
  if (!numbers) return unknown();
  n_numbers_ += numbers->on.size() + numbers->off.size();
  if (n_numbers_ > kMaxNumbers) return unknown();
  numbers_.push_back(std::move(*numbers));
  return {Value::Kind::Numbers, static_cast<uint32_t>(numbers_.size() - 1), kNone};
}

uint32_t GraphValues::add_weight(OnnxWeight weight) {
  std::string key = concat({weight.input.tensor.name, " ", to_string(weight.shape()), " ",
                            weight.input.strides.size(), " ", weight.input.tensor.offset});
  const auto [known, is_new] =
      weight_ids_.emplace(std::move(key), static_cast<uint32_t>(weights_.size()));
  if (is_new) weights_.push_back(std::move(weight));
  return known->second;
}

std::optional<TermId> GraphValues::term_of(NameId name) const {
  const Value& found = values_[name];
  if (found.kind != Value::Kind::Term) return std::nullopt;
  return found.at;
}

Result<const Numbers*> GraphValues::numbers_of(NameId name) {
  const Value& found = values_[name];
  if (found.kind == Value::Kind::Numbers) return &std::as_const(numbers_[found.at]);
  if (found.kind != Value::Kind::Constant) return static_cast<const Numbers*>(nullptr);
  const auto known = constant_numbers_.find(name);
  if (known != constant_numbers_.end()) return &std::as_const(numbers_[known->second]);
  const Tensor* tensor = file_.constant(name);
  if (tensor == nullptr) return static_cast<const Numbers*>(nullptr);
  AMBRY_TRY(auto read, constant_numbers(file_, *tensor));
  if (!read) return static_cast<const Numbers*>(nullptr);
  constant_numbers_[name] = static_cast<uint32_t>(numbers_.size());
  numbers_.push_back(std::move(*read));
  return &std::as_const(numbers_.back());
}

Result<uint32_t> GraphValues::vector_of(NameId name, const Dim& size) {
  if (values_[name].kind != Value::Kind::Constant) return uint32_t{kNone};
  AMBRY_TRY(auto weight, find_weight(file_, name));
  if (!weight || weight->shape().rank() != 1) return uint32_t{kNone};
  if (!size.is(static_cast<int64_t>(weight->shape()[0]))) return uint32_t{kNone};
  return add_weight(std::move(*weight));
}

Dims GraphValues::dims_of(NameId name) const {
  const Value& found = values_[name];
  if (found.kind == Value::Kind::Term) return terms_[found.at].dims;
  return found.kind == Value::Kind::Numbers ? numbers_[found.at].dims : Dims();
}

Rule find_rule(std::span<const RuleRow> rows, std::string_view op_type) {
  const auto found = std::ranges::find(rows, op_type, &RuleRow::op);
  return found == rows.end() ? nullptr : found->rule;
}

}  // namespace ambry::convert::onnx
