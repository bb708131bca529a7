// Operators on numbers that depend on no text.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "convert/onnx/graph/graph_constants.h"
#include "convert/onnx/matching/graph_values.h"
#include "convert/onnx/matching/rule_arguments.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::Attribute;
using formats::onnx::AttributeType;
using formats::onnx::DataType;
using formats::onnx::Node;
using Type = Numbers::Type;

std::optional<Type> number_type(int64_t type) {
  switch (static_cast<DataType>(type)) {
    case DataType::Float:
    case DataType::Float16:
    case DataType::Bfloat16:
    case DataType::Double:
      return Type::Float;
    case DataType::Int32:
    case DataType::Int64:
      return Type::Int;
    case DataType::Bool:
      return Type::Bool;
    default:
      return std::nullopt;
  }
}

Result<Value> each_number(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const auto op = number_op(file.model().op_type(node));
  AMBRY_TRY(const Numbers* a, values.numbers_of(file.input(node, 0)));
  if (!op || a == nullptr) return values.unknown();
  if (takes_one(*op)) return values.add(of_each(*op, *a));
  if (node.n_inputs != 2 || file.int_of(node, "fmod", 0) != 0) return values.unknown();
  AMBRY_TRY(const Numbers* b, values.numbers_of(file.input(node, 1)));
  if (b == nullptr) return values.unknown();
  return values.add(combined(*op, *a, *b, values.n_tokens()));
}

Result<Value> choose_numbers(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  AMBRY_TRY(const Numbers* condition, values.numbers_of(file.input(node, 0)));
  AMBRY_TRY(const Numbers* yes, values.numbers_of(file.input(node, 1)));
  AMBRY_TRY(const Numbers* no, values.numbers_of(file.input(node, 2)));
  if (condition == nullptr || yes == nullptr || no == nullptr) return values.unknown();
  return values.add(chosen(*condition, *yes, *no, values.n_tokens()));
}

Result<Value> cast_numbers(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const auto type = number_type(file.int_of(node, "to", 0));
  const NameId input = file.input(node, 0);
  AMBRY_TRY(const Numbers* from, values.numbers_of(input));
  const bool is_constant = values.value(input).kind == Value::Kind::Constant;
  if (is_constant && type == Type::Float && (from == nullptr || from->on.size() > 1)) {
    return Value{Value::Kind::Constant, kNone, kNone};  // a weight, perhaps
  }
  if (!type || from == nullptr) return values.unknown();
  return values.add(as_type(*from, *type));
}

Result<Value> shape_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const NameId input = file.input(node, 0);
  const Value::Kind kind = values.value(input).kind;
  Dims dims = values.dims_of(input);
  if (kind == Value::Kind::Constant) {
    const auto* tensor = file.constant(input);
    if (tensor == nullptr) return values.unknown();
    for (const int64_t extent : file.model().dims(*tensor)) dims.push_back(number_dim(extent));
  } else if (kind == Value::Kind::Unknown) {
    return values.unknown();
  }
  const auto rank = static_cast<int64_t>(dims.size());
  const auto place = [&](int64_t axis) {
    return std::clamp(axis < 0 ? axis + rank : axis, int64_t{0}, rank);
  };
  const auto begin = static_cast<std::ptrdiff_t>(place(file.int_of(node, "start", 0)));
  const auto end =
      std::max(begin, static_cast<std::ptrdiff_t>(place(file.int_of(node, "end", rank))));
  return values.add(integers({dims.begin() + begin, dims.begin() + end}, false, values.n_tokens()));
}

Result<Value> constant_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  if (node.n_attributes != 1) return values.unknown();
  const Attribute& attribute = file.graph().attributes_of(node).front();
  Numbers out;
  switch (attribute.type) {
    case AttributeType::Int:
      return values.add(integers({number_dim(attribute.i())}, true, values.n_tokens()));
    case AttributeType::Ints: {
      std::vector<Dim> list;
      for (const int64_t value : file.model().ints(attribute)) list.push_back(number_dim(value));
      return values.add(integers(std::move(list), false, values.n_tokens()));
    }
    case AttributeType::Float:
      out.on = {static_cast<double>(attribute.f())};
      return values.add(std::move(out));
    case AttributeType::Floats:
      for (const float value : file.model().floats(attribute)) out.on.push_back(value);
      out.dims = {number_dim(static_cast<int64_t>(out.on.size()))};
      return values.add(std::move(out));
    default:
      return values.unknown();
  }
}

Result<Value> filled_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  AMBRY_TRY(const auto dims, extents_of(values, node, 0));
  if (!dims) return values.unknown();
  const auto count = sample_count(*dims, values.n_tokens());
  if (!count) return values.unknown();
  Numbers out;
  double value = 0;
  if (const Attribute* attribute = file.model().find(file.graph(), node, "value")) {
    const auto* tensor = file.model().tensor(*attribute);
    if (tensor == nullptr) return values.unknown();
    AMBRY_TRY(const auto read, constant_numbers(file, *tensor));
    if (!read || read->on.size() != 1) return values.unknown();
    value = read->on.front();
    out.type = read->type;
  }
  out.dims = *dims;
  out.on.assign(*count, value);
  set_exact(out);
  return values.add(std::move(out));
}

Result<Value> range_rule(GraphValues& values, const Node& node) {
  AMBRY_TRY(const auto begin, extents_of(values, node, 0));
  AMBRY_TRY(const auto end, extents_of(values, node, 1));
  AMBRY_TRY(const auto step, extents_of(values, node, 2));
  if (!begin || !end || !step || begin->size() != 1 || end->size() != 1 || step->size() != 1) {
    return values.unknown();
  }
  if (!begin->front().is(0) || !step->front().is(1)) return values.unknown();
  Numbers out;
  out.type = Type::Int;
  out.dims = *end;
  const auto count = sample_count(out.dims, values.n_tokens());
  if (!count) return values.unknown();
  for (size_t i = 0; i < *count; ++i) out.on.push_back(static_cast<double>(i));
  if (end->front().is_number()) set_exact(out);
  return values.add(std::move(out));
}

// Products of a column and a row: angles for each frequency and position.
Result<Value> outer_product(GraphValues& values, const Node& node) {
  AMBRY_TRY(const Numbers* a, values.numbers_of(values.file().input(node, 0)));
  AMBRY_TRY(const Numbers* b, values.numbers_of(values.file().input(node, 1)));
  if (a == nullptr || b == nullptr || a->dims.size() < 2 || a->dims.size() != b->dims.size()) {
    return values.unknown();
  }
  if (!a->dims.back().is(1) || !b->dims[b->dims.size() - 2].is(1)) return values.unknown();
  return values.add(combined(NumberOp::Mul, *a, *b, values.n_tokens()));
}

constexpr std::array kNumberRules = {
    RuleRow{"Where", choose_numbers},   RuleRow{"Cast", cast_numbers},
    RuleRow{"Shape", shape_rule},       RuleRow{"MatMul", outer_product},
    RuleRow{"Constant", constant_rule}, RuleRow{"ConstantOfShape", filled_rule},
    RuleRow{"Range", range_rule}};

}  // namespace

Rule number_rule(std::string_view op_type) {
  if (const Rule found = find_rule(kNumberRules, op_type)) return found;
  return number_op(op_type) ? each_number : nullptr;
}

}  // namespace ambry::convert::onnx
