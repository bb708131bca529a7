// What a graph computes of its inputs, in a form that does not depend on who has exported it. Equal
// values have one term. Casts between floats, moves that cancel out, and the order of factors are
// gone; norms, linear layers and activations are one term each, also where the graph spells them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "convert/onnx/graph/dim.h"

namespace ambry::convert::onnx {

using TermId = uint32_t;
inline constexpr uint32_t kNone = UINT32_MAX;

enum class Op : uint8_t {
  Ids,         // input_ids
  TypeIds,     // token_type_ids
  Embed,       // rows of `weight`, by a term or by `numbers`
  Linear,      // x * weight^T + bias
  Product,     // a * b, matrices
  Sum,         // a + b
  Difference,  // a - b
  Times,       // a * b, one by one
  Quotient,    // a / b, one by one
  Scale,       // x * number
  Shift,       // x + number
  Power,       // x ^ number
  AddNumbers,  // x + numbers
  MulNumbers,  // x * numbers
  AddWeight,   // x + weight, a vector
  MulWeight,   // x * weight, a vector
  Norm,        // layer norm of the last axis with weight, bias, and epsilon `number`
  Call,        // a function of each number, `ints[0]` is its Function
  Softmax,     // of the last axis
  Reshape,
  Transpose,   // ints: the axes in their new order
  Slice,       // ints: axis, first; dims say how many
  Concat,      // ints: axis
  Reduce,      // ints: a Reduction, the axis; the axis stays with extent 1
  Equals,      // x == number
  Differs,     // x != number
  RunningSum,  // of the axis ints[0]
  TokenCount,  // the sum of the mask
  Repeat,      // along axes of extent 1
};

enum class Function : uint8_t { Erf, Tanh, Sqrt, Relu, Sigmoid, Silu, Gelu, GeluTanh, IsNan };
enum class Reduction : uint8_t { Mean, Sum, Max, Length };

struct Term {
  // NOLINTBEGIN(readability-redundant-member-init): compilers warn of members that are left out
  Op op = Op::Ids;
  bool is_integer = false;
  uint32_t node = kNone;  // where the graph has it
  Dims dims = {};
  std::vector<TermId> args = {};
  std::vector<int64_t> ints = {};
  // NOLINTEND(readability-redundant-member-init)
  double number = 0;
  uint32_t weight = kNone;
  uint32_t bias = kNone;
  uint32_t numbers = kNone;
};

class Terms {
 public:
  // The node that is being read, for all terms that are new.
  void set_node(uint32_t node) { node_ = node; }
  [[nodiscard]] const Term& operator[](TermId id) const { return terms_[id]; }
  [[nodiscard]] size_t size() const { return terms_.size(); }

  TermId add(Term term);
  TermId scale(TermId x, double factor);
  TermId shift(TermId x, double number);
  TermId power(TermId x, double exponent);
  TermId sum(TermId a, TermId b, const Dims& dims);
  TermId times(TermId a, TermId b, const Dims& dims);
  TermId quotient(TermId a, TermId b, const Dims& dims);
  TermId product(TermId a, TermId b, Dims dims);
  TermId linear(TermId x, uint32_t weight, uint32_t bias, Dim out);
  TermId add_weight(TermId x, uint32_t weight);
  TermId mul_weight(TermId x, uint32_t weight);
  TermId norm(TermId x, uint32_t weight, uint32_t bias, double epsilon);
  TermId call(Function function, TermId x);
  // The number of elements stays.
  TermId reshape(TermId x, Dims dims);
  TermId transpose(TermId x, std::vector<int64_t> order);
  TermId slice(TermId x, size_t axis, int64_t first, Dim count);

  // Whether the term is this function of an argument, which it gives.
  [[nodiscard]] const Term* is_call(TermId id, Function function) const;
  [[nodiscard]] const Term* is(TermId id, Op op) const {
    return terms_[id].op == op ? &terms_[id] : nullptr;
  }

 private:
  TermId of_one(Op op, TermId x, double number);
  [[nodiscard]] std::optional<TermId> as_gelu(TermId x) const;
  [[nodiscard]] std::optional<TermId> as_norm(TermId a, TermId b, double* epsilon) const;
  [[nodiscard]] bool is_mean(TermId id, TermId of) const;
  std::optional<TermId> without_unit_axis(TermId x, const Dims& dims);
  std::optional<TermId> split_again(TermId x, const Dims& dims);

  std::vector<Term> terms_;
  std::map<std::string, TermId, std::less<>> known_;
  uint32_t node_ = kNone;
};

}  // namespace ambry::convert::onnx
