// Operators that begin with ids and the mask, or sum up what the tokens have.
#include <algorithm>
#include <array>
#include <utility>

#include "convert/onnx/matching/graph_values.h"
#include "convert/onnx/matching/rule_arguments.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::DataType;
using formats::onnx::kNoName;
using formats::onnx::Node;

// Adding this to a score leaves nothing of its weight, in floats and in halves.
constexpr double kMasked = -1e4;

std::optional<Reduction> reduction_of(std::string_view op) {
  if (op == "ReduceMean") return Reduction::Mean;
  if (op == "ReduceSum") return Reduction::Sum;
  if (op == "ReduceMax") return Reduction::Max;
  if (op == "ReduceL2") return Reduction::Length;
  return std::nullopt;
}

// The sum of the mask over its tokens. Its other axes stay.
Result<Value> mask_sum(GraphValues& values, NameId input, size_t axis, bool keeps) {
  AMBRY_TRY(const Numbers* mask, values.numbers_of(input));
  if (mask == nullptr || !mask->has_mask() || mask->mask_axis != axis) return values.unknown();
  const auto is = [](const std::vector<double>& all, double wanted) {
    return std::ranges::all_of(all, [&](double value) { return value == wanted; });
  };
  if (!is(mask->on, 1) || !is(mask->off, 0) || mask->dims[0] != batch_dim()) {
    return values.unknown();
  }
  Dims dims = mask->dims;
  if (keeps) {
    dims[axis] = number_dim(1);
  } else {
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  return GraphValues::term(values.make().add({.op = Op::TokenCount, .dims = std::move(dims)}));
}

Result<Value> reduce_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const auto reduction = reduction_of(file.model().op_type(node));
  const NameId input = file.input(node, 0);
  AMBRY_TRY(const auto axes, fixed_integers(values, node, "axes", 1));
  Dims dims = values.dims_of(input);
  if (!reduction || !axes || axes->size() != 1) return values.unknown();
  const auto axis = axis_of(axes->front(), dims.size());
  if (!axis) return values.unknown();
  const bool keeps = file.int_of(node, "keepdims", 1) != 0;
  const auto x = values.term_of(input);
  if (!x && *reduction == Reduction::Sum) return mask_sum(values, input, *axis, keeps);
  if (!x || values.terms()[*x].is_integer || dims[*axis].batches > 0) return values.unknown();
  dims[*axis] = number_dim(1);
  Dims rest = dims;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(*axis));
  if (rest.empty()) return values.unknown();
  const TermId kept =
      values.make().add({.op = Op::Reduce,
                         .dims = std::move(dims),
                         .args = {*x},
                         .ints = {static_cast<int64_t>(*reduction), static_cast<int64_t>(*axis)}});
  return GraphValues::term(keeps ? kept : values.make().reshape(kept, std::move(rest)));
}

// Rows of a table, by ids or by numbers.
Result<Value> embedding_rule(GraphValues& values, const Node& node) {
  const NameId output = values.file().output(node);
  if (values.value(values.file().input(node, 0)).kind == Value::Kind::Constant &&
      values.file().model().is(node, "DequantizeLinear")) {
    return Value{Value::Kind::Constant, kNone, kNone};  // a weight, perhaps
  }
  AMBRY_TRY(auto match, find_embedding(values.file(), output));
  if (!match) return values.unknown();
  const Dim width = number_dim(static_cast<int64_t>(match->weight.shape()[1]));
  const auto ids = values.term_of(match->input);
  Term term{.op = Op::Embed};
  if (ids) {
    if (!values.terms()[*ids].is_integer) return values.unknown();
    term.dims = values.terms()[*ids].dims;
    term.args = {*ids};
  } else {
    const Value index = values.value(match->input);
    if (index.kind != Value::Kind::Numbers) return values.unknown();
    const Numbers& numbers = values.numbers(index.at);
    if (numbers.has_mask() || numbers.type != Numbers::Type::Int) return values.unknown();
    term.dims = numbers.dims;
    term.numbers = index.at;
  }
  term.dims.push_back(width);
  term.weight = values.add_weight(std::move(match->weight));
  return GraphValues::term(values.make().add(std::move(term)));
}

// Scores where the condition is replaced by a number that leaves nothing of them.
Result<Value> masked_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const NameId condition = file.input(node, 0);
  const auto x = values.term_of(file.input(node, 2));
  const auto y = values.term_of(file.input(node, 1));
  // NaN is for a text whose tokens are all masked. There is none.
  if (const auto test = values.term_of(condition); test && x && !y) {
    AMBRY_TRY(const auto zero, scalar_of(values, file.input(node, 1)));
    const Term* nan = values.terms().is_call(*test, Function::IsNan);
    if (zero == 0 && nan != nullptr && nan->args[0] == *x &&
        values.terms().is(*x, Op::Softmax) != nullptr) {
      return GraphValues::term(*x);
    }
    return values.unknown();
  }
  if (x.has_value() == y.has_value()) return values.unknown();
  const TermId scores = x ? *x : *y;
  const NameId other = file.input(node, x ? 1 : 2);
  AMBRY_TRY(const Numbers* where, values.numbers_of(condition));
  AMBRY_TRY(const auto low, scalar_of(values, other));
  if (where == nullptr || !low || *low > kMasked) return values.unknown();
  const Dims dims = values.terms()[scores].dims;
  if (broadcast(dims, where->dims) != dims) return values.unknown();
  Numbers added = *where;
  added.type = Numbers::Type::Float;
  added.exact.clear();
  const bool masked = x.has_value();
  for (auto* list : {&added.on, &added.off}) {
    for (double& value : *list) value = (value != 0) == masked ? *low : 0;
  }
  const Value numbers = values.add(std::move(added));
  return GraphValues::term(values.make().add(
      {.op = Op::AddNumbers, .dims = dims, .args = {scores}, .numbers = numbers.at}));
}

Result<Value> cast_rule(GraphValues& values, const Node& node) {
  const auto x = values.term_of(values.file().input(node, 0));
  if (!x) return values.unknown();
  const Term& from = values.terms()[*x];
  switch (static_cast<DataType>(values.file().int_of(node, "to", 0))) {
    case DataType::Float:
    case DataType::Double:
      return GraphValues::term(*x);
    case DataType::Float16:
    case DataType::Bfloat16:
      return from.is_integer ? values.unknown() : GraphValues::term(*x);
    case DataType::Int32:
    case DataType::Int64:
      return from.is_integer ? GraphValues::term(*x) : values.unknown();
    case DataType::Bool:
      return from.op == Op::Equals || from.op == Op::Differs ? GraphValues::term(*x)
                                                             : values.unknown();
    default:
      return values.unknown();
  }
}

Result<Value> equal_rule(GraphValues& values, const Node& node) {
  const Operands from = operands_of(values, node);
  if (!from.x || from.y || !values.terms()[*from.x].is_integer) return values.unknown();
  AMBRY_TRY(const auto number, factor_of(values, from));
  if (!number) return values.unknown();
  return GraphValues::term(values.make().add({.op = Op::Equals,
                                              .is_integer = true,
                                              .dims = values.terms()[*from.x].dims,
                                              .args = {*from.x},
                                              .number = *number}));
}

Result<Value> not_rule(GraphValues& values, const Node& node) {
  const auto x = values.term_of(values.file().input(node, 0));
  if (!x) return values.unknown();
  Term turned = values.terms()[*x];
  if (turned.op != Op::Equals && turned.op != Op::Differs) return values.unknown();
  turned.op = turned.op == Op::Equals ? Op::Differs : Op::Equals;
  turned.node = kNone;
  return GraphValues::term(values.make().add(std::move(turned)));
}

Result<Value> running_sum_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const auto x = values.term_of(file.input(node, 0));
  AMBRY_TRY(const auto number, scalar_of(values, file.input(node, 1)));
  if (!x || !number || file.int_of(node, "exclusive", 0) != 0 ||
      file.int_of(node, "reverse", 0) != 0 || !values.terms()[*x].is_integer) {
    return values.unknown();
  }
  const Dims dims = values.terms()[*x].dims;
  const auto axis = axis_of(static_cast<int64_t>(*number), dims.size());
  if (!axis) return values.unknown();
  return GraphValues::term(values.make().add({.op = Op::RunningSum,
                                              .is_integer = true,
                                              .dims = dims,
                                              .args = {*x},
                                              .ints = {static_cast<int64_t>(*axis)}}));
}

// A lower bound that no count and no length reaches.
Result<Value> clip_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const auto x = values.term_of(file.input(node, 0));
  if (!x || file.input(node, 2) != kNoName) return values.unknown();
  AMBRY_TRY(const auto least, scalar_of(values, file.input(node, 1)));
  const Term& from = values.terms()[*x];
  const Term& inner = from.op == Op::Reshape ? values.terms()[from.args[0]] : from;
  const bool is_length =
      inner.op == Op::Reduce && inner.ints[0] == static_cast<int64_t>(Reduction::Length);
  if (!least || *least < 0 || *least > 1e-6) return values.unknown();
  return is_length || inner.op == Op::TokenCount ? GraphValues::term(*x) : values.unknown();
}

constexpr std::array kTextRules = {RuleRow{"ReduceMean", reduce_rule},
                                   RuleRow{"ReduceSum", reduce_rule},
                                   RuleRow{"ReduceMax", reduce_rule},
                                   RuleRow{"ReduceL2", reduce_rule},
                                   RuleRow{"Gather", embedding_rule},
                                   RuleRow{"DequantizeLinear", embedding_rule},
                                   RuleRow{"GatherBlockQuantized", embedding_rule},
                                   RuleRow{"Where", masked_rule},
                                   RuleRow{"Cast", cast_rule},
                                   RuleRow{"Equal", equal_rule},
                                   RuleRow{"Not", not_rule},
                                   RuleRow{"CumSum", running_sum_rule},
                                   RuleRow{"Clip", clip_rule}};

}  // namespace

Rule text_rule(std::string_view op_type) { return find_rule(kTextRules, op_type); }

}  // namespace ambry::convert::onnx
