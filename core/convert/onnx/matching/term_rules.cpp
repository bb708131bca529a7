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

// Numbers that the term's shape takes in, for each element one.
Result<uint32_t> numbers_beside(GraphValues& values, const Operands& from) {
  const Value& other = values.value(from.other);
  if (other.kind != Value::Kind::Numbers) return uint32_t{kNone};
  const Dims& dims = values.terms()[*from.x].dims;
  const auto both = broadcast(dims, values.numbers(other.at).dims);
  return both == dims ? other.at : uint32_t{kNone};
}

// The operator on two terms, of which each broadcasts to the dims.
using OnTerms = Result<Value> (*)(GraphValues& values, TermId x, TermId y, const Dims& dims);
// The operator on a term and a constant.
using OnConstant = Result<Value> (*)(GraphValues& values, const Operands& from);

Result<Value> on_operands(GraphValues& values, const Node& node, OnTerms on_terms,
                          OnConstant on_constant) {
  const Operands from = operands_of(values, node);
  if (!from.x) return values.unknown();
  if (!from.y) return on_constant(values, from);
  const auto dims = broadcast(values.terms()[*from.x].dims, values.terms()[*from.y].dims);
  return dims ? on_terms(values, *from.x, *from.y, *dims) : values.unknown();
}

// The operator on a term and numbers that its shape takes in.
Result<Value> on_numbers(GraphValues& values, Op op, const Operands& from) {
  AMBRY_TRY(const uint32_t numbers, numbers_beside(values, from));
  if (numbers == kNone) return values.unknown();
  const Dims dims = values.terms()[*from.x].dims;
  return GraphValues::term(
      values.make().add({.op = op, .dims = dims, .args = {*from.x}, .numbers = numbers}));
}

Result<Value> add_terms(GraphValues& values, TermId x, TermId y, const Dims& dims) {
  return GraphValues::term(values.make().sum(x, y, dims));
}

Result<Value> add_constant(GraphValues& values, const Operands& from) {
  const Dim width = values.terms()[*from.x].dims.back();
  AMBRY_TRY(const uint32_t weight, values.vector_of(from.other, width));
  AMBRY_TRY(const auto number, factor_of(values, from));
  if (weight != kNone && !(number && values.terms()[*from.x].is_integer)) {
    return GraphValues::term(values.make().add_weight(*from.x, weight));
  }
  if (number) return GraphValues::term(values.make().shift(*from.x, *number));
  return on_numbers(values, Op::AddNumbers, from);
}

Result<Value> add_rule(GraphValues& values, const Node& node) {
  return on_operands(values, node, add_terms, add_constant);
}

Result<Value> mul_terms(GraphValues& values, TermId x, TermId y, const Dims& dims) {
  return GraphValues::term(values.make().times(x, y, dims));
}

Result<Value> mul_constant(GraphValues& values, const Operands& from) {
  const bool is_norm = values.terms().is(*from.x, Op::Norm) != nullptr;
  AMBRY_TRY(const auto number, factor_of(values, from));
  if (number && !is_norm) return GraphValues::term(values.make().scale(*from.x, *number));
  const Dim width = values.terms()[*from.x].dims.back();
  AMBRY_TRY(const uint32_t weight, values.vector_of(from.other, width));
  if (weight != kNone) return GraphValues::term(values.make().mul_weight(*from.x, weight));
  if (number) return GraphValues::term(values.make().scale(*from.x, *number));
  return on_numbers(values, Op::MulNumbers, from);
}

Result<Value> mul_rule(GraphValues& values, const Node& node) {
  return on_operands(values, node, mul_terms, mul_constant);
}

Result<Value> sub_terms(GraphValues& values, TermId x, TermId y, const Dims& dims) {
  return GraphValues::term(values.make().add({.op = Op::Difference, .dims = dims, .args = {x, y}}));
}

Result<Value> sub_constant(GraphValues& values, const Operands& from) {
  AMBRY_TRY(const auto number, factor_of(values, from));
  if (!number || from.swapped) return values.unknown();
  return GraphValues::term(values.make().shift(*from.x, -*number));
}

Result<Value> sub_rule(GraphValues& values, const Node& node) {
  return on_operands(values, node, sub_terms, sub_constant);
}

Result<Value> div_terms(GraphValues& values, TermId x, TermId y, const Dims& dims) {
  if (dims != values.terms()[x].dims) return values.unknown();
  return GraphValues::term(values.make().quotient(x, y, dims));
}

Result<Value> div_constant(GraphValues& values, const Operands& from) {
  AMBRY_TRY(const auto number, factor_of(values, from));
  if (!number || from.swapped || *number == 0 || values.terms()[*from.x].is_integer) {
    return values.unknown();
  }
  return GraphValues::term(values.make().scale(*from.x, 1 / *number));
}

Result<Value> div_rule(GraphValues& values, const Node& node) {
  return on_operands(values, node, div_terms, div_constant);
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

constexpr std::array kTermRules = {RuleRow{"Add", add_rule},
                                   RuleRow{"Mul", mul_rule},
                                   RuleRow{"Sub", sub_rule},
                                   RuleRow{"Div", div_rule},
                                   RuleRow{"Pow", pow_rule},
                                   RuleRow{"Erf", function_rule},
                                   RuleRow{"Tanh", function_rule},
                                   RuleRow{"Sqrt", function_rule},
                                   RuleRow{"Relu", function_rule},
                                   RuleRow{"Sigmoid", function_rule},
                                   RuleRow{"IsNaN", function_rule},
                                   RuleRow{"Gelu", function_rule},
                                   RuleRow{"FastGelu", function_rule},
                                   RuleRow{"BiasGelu", function_rule},
                                   RuleRow{"Neg", neg_rule},
                                   RuleRow{"Softmax", softmax_rule},
                                   RuleRow{"MatMul", matmul_rule},
                                   RuleRow{"LayerNormalization", norm_rule},
                                   RuleRow{"SkipLayerNormalization", skip_norm_rule}};

}  // namespace

Rule term_rule(std::string_view op_type) { return find_rule(kTermRules, op_type); }

}  // namespace ambry::convert::onnx
