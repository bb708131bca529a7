// Operators on terms of the texts.
#include <algorithm>
#include <array>
#include <cmath>
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

struct Operands {
  std::optional<TermId> x;  // a term
  std::optional<TermId> y;  // the other term
  NameId other = kNoName;   // what is not x
  bool swapped = false;     // x is the second input
};

Operands operands_of(const GraphValues& values, const Node& node) {
  const NameId first = values.file().input(node, 0);
  const NameId second = values.file().input(node, 1);
  const auto a = values.term_of(first);
  const auto b = values.term_of(second);
  if (a) return {a, b, second, false};
  return {b, std::nullopt, first, true};
}

// A constant or numbers of one element, which the other operand's shape takes in.
Result<std::optional<double>> factor_of(GraphValues& values, const Operands& from) {
  AMBRY_TRY(const Numbers* numbers, values.numbers_of(from.other));
  if (numbers == nullptr) return std::optional<double>();
  if (numbers->dims.size() > values.terms()[*from.x].dims.size()) return std::optional<double>();
  return numbers->scalar();
}

// Numbers that the term's shape takes in, for each element one.
Result<uint32_t> numbers_beside(GraphValues& values, const Operands& from) {
  const Value& other = values.value(from.other);
  if (other.kind != Value::Kind::Numbers) return uint32_t{kNone};
  const Dims& dims = values.terms()[*from.x].dims;
  const auto both = broadcast(dims, values.numbers(other.at).dims);
  return both == dims ? other.at : uint32_t{kNone};
}

Result<Value> add_rule(GraphValues& values, const Node& node) {
  const Operands from = operands_of(values, node);
  if (!from.x) return values.unknown();
  const Dims dims = values.terms()[*from.x].dims;
  if (from.y) {
    const auto both = broadcast(dims, values.terms()[*from.y].dims);
    if (!both) return values.unknown();
    return GraphValues::term(values.make().sum(*from.x, *from.y, *both));
  }
  AMBRY_TRY(const uint32_t weight, values.vector_of(from.other, dims.back()));
  AMBRY_TRY(const auto number, factor_of(values, from));
  if (weight != kNone && !(number && values.terms()[*from.x].is_integer)) {
    return GraphValues::term(values.make().add_weight(*from.x, weight));
  }
  if (number) return GraphValues::term(values.make().shift(*from.x, *number));
  AMBRY_TRY(const uint32_t numbers, numbers_beside(values, from));
  if (numbers == kNone) return values.unknown();
  return GraphValues::term(values.make().add(
      {.op = Op::AddNumbers, .dims = dims, .args = {*from.x}, .numbers = numbers}));
}

Result<Value> mul_rule(GraphValues& values, const Node& node) {
  const Operands from = operands_of(values, node);
  if (!from.x) return values.unknown();
  const Dims dims = values.terms()[*from.x].dims;
  if (from.y) {
    const auto both = broadcast(dims, values.terms()[*from.y].dims);
    if (!both) return values.unknown();
    return GraphValues::term(values.make().times(*from.x, *from.y, *both));
  }
  const bool is_norm = values.terms().is(*from.x, Op::Norm) != nullptr;
  AMBRY_TRY(const auto number, factor_of(values, from));
  if (number && !is_norm) return GraphValues::term(values.make().scale(*from.x, *number));
  AMBRY_TRY(const uint32_t weight, values.vector_of(from.other, dims.back()));
  if (weight != kNone) return GraphValues::term(values.make().mul_weight(*from.x, weight));
  if (number) return GraphValues::term(values.make().scale(*from.x, *number));
  AMBRY_TRY(const uint32_t numbers, numbers_beside(values, from));
  if (numbers == kNone) return values.unknown();
  return GraphValues::term(values.make().add(
      {.op = Op::MulNumbers, .dims = dims, .args = {*from.x}, .numbers = numbers}));
}

Result<Value> sub_rule(GraphValues& values, const Node& node) {
  const Operands from = operands_of(values, node);
  if (!from.x) return values.unknown();
  const Dims dims = values.terms()[*from.x].dims;
  if (from.y) {
    const auto both = broadcast(dims, values.terms()[*from.y].dims);
    if (!both) return values.unknown();
    return GraphValues::term(
        values.make().add({.op = Op::Difference, .dims = *both, .args = {*from.x, *from.y}}));
  }
  AMBRY_TRY(const auto number, factor_of(values, from));
  if (!number || from.swapped) return values.unknown();
  return GraphValues::term(values.make().shift(*from.x, -*number));
}

Result<Value> div_rule(GraphValues& values, const Node& node) {
  const Operands from = operands_of(values, node);
  if (!from.x) return values.unknown();
  const Dims dims = values.terms()[*from.x].dims;
  if (from.y) {
    const auto both = broadcast(dims, values.terms()[*from.y].dims);
    if (!both || *both != dims) return values.unknown();
    return GraphValues::term(values.make().quotient(*from.x, *from.y, dims));
  }
  AMBRY_TRY(const auto number, factor_of(values, from));
  if (!number || from.swapped || *number == 0 || values.terms()[*from.x].is_integer) {
    return values.unknown();
  }
  return GraphValues::term(values.make().scale(*from.x, 1 / *number));
}

Result<Value> pow_rule(GraphValues& values, const Node& node) {
  const Operands from = operands_of(values, node);
  if (!from.x || from.y || from.swapped) return values.unknown();
  AMBRY_TRY(const auto number, factor_of(values, from));
  if (!number) return values.unknown();
  return GraphValues::term(values.make().power(*from.x, *number));
}

struct FunctionName {
  std::string_view op;
  Function function;
};
constexpr std::array kFunctions = {
    FunctionName{"Erf", Function::Erf},          FunctionName{"Tanh", Function::Tanh},
    FunctionName{"Sqrt", Function::Sqrt},        FunctionName{"Relu", Function::Relu},
    FunctionName{"Sigmoid", Function::Sigmoid},  FunctionName{"IsNaN", Function::IsNan},
    FunctionName{"FastGelu", Function::GeluTanh}};

Result<Value> function_rule(GraphValues& values, const Node& node) {
  const auto x = values.term_of(values.file().input(node, 0));
  const std::string_view op = values.file().model().op_type(node);
  if (!x || values.terms()[*x].is_integer) return values.unknown();
  TermId from = *x;
  if (node.n_inputs > 1) {  // a bias
    AMBRY_TRY(const uint32_t bias,
              values.vector_of(values.file().input(node, 1), values.terms()[from].dims.back()));
    if (bias == kNone) return values.unknown();
    from = values.make().add_weight(from, bias);
  }
  const auto* const found = std::ranges::find(kFunctions, op, &FunctionName::op);
  if (found != kFunctions.end()) {
    return GraphValues::term(values.make().call(found->function, from));
  }
  const std::string_view form = values.file().text_of(node, "approximate");
  if (form == "tanh") return GraphValues::term(values.make().call(Function::GeluTanh, from));
  if (!form.empty() && form != "none") return values.unknown();
  return GraphValues::term(values.make().call(Function::Gelu, from));
}

Result<Value> neg_rule(GraphValues& values, const Node& node) {
  const auto x = values.term_of(values.file().input(node, 0));
  return x ? GraphValues::term(values.make().scale(*x, -1)) : values.unknown();
}

Result<Value> softmax_rule(GraphValues& values, const Node& node) {
  const auto x = values.term_of(values.file().input(node, 0));
  if (!x) return values.unknown();
  const Dims dims = values.terms()[*x].dims;
  const int64_t usual = values.file().model().opset() >= 13 ? -1 : 1;
  const auto axis = axis_of(values.file().int_of(node, "axis", usual), dims.size());
  if (!axis || *axis + 1 != dims.size()) return values.unknown();
  return GraphValues::term(values.make().add({.op = Op::Softmax, .dims = dims, .args = {*x}}));
}

Result<Value> matmul_rule(GraphValues& values, const Node& node) {
  const auto a = values.term_of(values.file().input(node, 0));
  const auto b = values.term_of(values.file().input(node, 1));
  if (!a || !b) return values.unknown();
  Dims dims = values.terms()[*a].dims;
  const Dims right = values.terms()[*b].dims;
  const size_t rank = dims.size();
  if (rank < 2 || right.size() != rank || dims[rank - 1] != right[rank - 2]) {
    return values.unknown();
  }
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (dims[i] != right[i]) return values.unknown();
  }
  dims[rank - 1] = right[rank - 1];
  return GraphValues::term(values.make().product(*a, *b, std::move(dims)));
}

// A norm with weights; `first` is the number of the weight's input.
Result<Value> norm_of(GraphValues& values, const Node& node, TermId x, size_t first,
                      double epsilon) {
  const OnnxFile& file = values.file();
  const Dim width = values.terms()[x].dims.back();
  AMBRY_TRY(const uint32_t weight, values.vector_of(file.input(node, first), width));
  AMBRY_TRY(const uint32_t bias, values.vector_of(file.input(node, first + 1), width));
  const bool has_bias = file.input(node, first + 1) != kNoName;
  if (weight == kNone || (has_bias && bias == kNone)) return values.unknown();
  return GraphValues::term(values.make().norm(x, weight, bias, epsilon));
}

Result<Value> norm_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const auto x = values.term_of(file.input(node, 0));
  if (!x) return values.unknown();
  const size_t rank = values.terms()[*x].dims.size();
  if (axis_of(file.int_of(node, "axis", -1), rank) != rank - 1) return values.unknown();
  return norm_of(values, node, *x, 1, file.float_of(node, "epsilon", 1e-5F));
}

Result<Value> skip_norm_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const auto x = values.term_of(file.input(node, 0));
  const auto skip = values.term_of(file.input(node, 1));
  if (!x || !skip) return values.unknown();
  const Dims dims = values.terms()[*x].dims;
  if (dims != values.terms()[*skip].dims) return values.unknown();
  TermId from = *x;
  if (file.input(node, 4) != kNoName) {
    AMBRY_TRY(const uint32_t bias, values.vector_of(file.input(node, 4), dims.back()));
    if (bias == kNone) return values.unknown();
    // The bias is that of the linear layer, which may be either operand.
    const bool second = values.terms().is(*x, Op::Linear) == nullptr;
    from = values.make().add_weight(second ? *skip : *x, bias);
    from = values.make().sum(from, second ? *x : *skip, dims);
  } else {
    from = values.make().sum(*x, *skip, dims);
  }
  if (file.output(node, 3) != kNoName) values.set(file.output(node, 3), GraphValues::term(from));
  return norm_of(values, node, from, 2, file.float_of(node, "epsilon", 1e-12F));
}

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

struct TermRow {
  std::string_view op;
  Rule rule;
};
constexpr std::array kTermRules = {TermRow{"Add", add_rule},
                                   TermRow{"Mul", mul_rule},
                                   TermRow{"Sub", sub_rule},
                                   TermRow{"Div", div_rule},
                                   TermRow{"Pow", pow_rule},
                                   TermRow{"Erf", function_rule},
                                   TermRow{"Tanh", function_rule},
                                   TermRow{"Sqrt", function_rule},
                                   TermRow{"Relu", function_rule},
                                   TermRow{"Sigmoid", function_rule},
                                   TermRow{"IsNaN", function_rule},
                                   TermRow{"Gelu", function_rule},
                                   TermRow{"FastGelu", function_rule},
                                   TermRow{"BiasGelu", function_rule},
                                   TermRow{"Neg", neg_rule},
                                   TermRow{"Softmax", softmax_rule},
                                   TermRow{"MatMul", matmul_rule},
                                   TermRow{"LayerNormalization", norm_rule},
                                   TermRow{"SkipLayerNormalization", skip_norm_rule},
                                   TermRow{"ReduceMean", reduce_rule},
                                   TermRow{"ReduceSum", reduce_rule},
                                   TermRow{"ReduceMax", reduce_rule},
                                   TermRow{"ReduceL2", reduce_rule},
                                   TermRow{"Gather", embedding_rule},
                                   TermRow{"DequantizeLinear", embedding_rule},
                                   TermRow{"GatherBlockQuantized", embedding_rule},
                                   TermRow{"Where", masked_rule},
                                   TermRow{"Cast", cast_rule},
                                   TermRow{"Equal", equal_rule},
                                   TermRow{"Not", not_rule},
                                   TermRow{"CumSum", running_sum_rule},
                                   TermRow{"Clip", clip_rule}};

}  // namespace

Rule term_rule(std::string_view op_type) {
  const auto* const found = std::ranges::find(kTermRules, op_type, &TermRow::op);
  return found == kTermRules.end() ? nullptr : found->rule;
}

}  // namespace ambry::convert::onnx
