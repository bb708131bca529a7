#include "convert/onnx/graph/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace ambry::convert::onnx {
namespace {

using Values = std::vector<double>;

struct OpName {
  std::string_view name;
  NumberOp op;
};
constexpr std::array kOpNames = {
    OpName{"Add", NumberOp::Add},         OpName{"Sub", NumberOp::Sub},
    OpName{"Mul", NumberOp::Mul},         OpName{"Div", NumberOp::Div},
    OpName{"Pow", NumberOp::Pow},         OpName{"Min", NumberOp::Min},
    OpName{"Max", NumberOp::Max},         OpName{"Mod", NumberOp::Mod},
    OpName{"And", NumberOp::And},         OpName{"Or", NumberOp::Or},
    OpName{"Equal", NumberOp::Equal},     OpName{"Less", NumberOp::Less},
    OpName{"Greater", NumberOp::Greater}, OpName{"LessOrEqual", NumberOp::LessOrEqual},
    OpName{"Neg", NumberOp::Neg},         OpName{"GreaterOrEqual", NumberOp::GreaterOrEqual},
    OpName{"Abs", NumberOp::Abs},         OpName{"Not", NumberOp::Not},
    OpName{"Sqrt", NumberOp::Sqrt},       OpName{"Reciprocal", NumberOp::Reciprocal},
    OpName{"Log", NumberOp::Log},         OpName{"Exp", NumberOp::Exp},
    OpName{"Cos", NumberOp::Cos},         OpName{"Sin", NumberOp::Sin},
    OpName{"Floor", NumberOp::Floor},     OpName{"Ceil", NumberOp::Ceil},
    OpName{"Sign", NumberOp::Sign},       OpName{"IsNaN", NumberOp::IsNan}};

double divide(double a, double b, bool integers) {
  if (!integers) return a / b;
  return b == 0 ? 0 : std::trunc(a / b);
}

double remainder_of(double a, double b) { return b == 0 ? 0 : a - b * std::floor(a / b); }

// NOLINTNEXTLINE(readability-function-size): one line for each operator
double result_of(NumberOp op, double a, double b, bool integers) {
  switch (op) {
    case NumberOp::Add:
      return a + b;
    case NumberOp::Sub:
      return a - b;
    case NumberOp::Mul:
      return a * b;
    case NumberOp::Div:
      return divide(a, b, integers);
    case NumberOp::Pow:
      return std::pow(a, b);
    case NumberOp::Min:
      return std::min(a, b);
    case NumberOp::Max:
      return std::max(a, b);
    case NumberOp::Mod:
      return remainder_of(a, b);
    case NumberOp::And:
      return a != 0 && b != 0 ? 1 : 0;
    case NumberOp::Or:
      return a != 0 || b != 0 ? 1 : 0;
    case NumberOp::Equal:
      return a == b ? 1 : 0;
    case NumberOp::Less:
      return a < b ? 1 : 0;
    case NumberOp::Greater:
      return a > b ? 1 : 0;
    case NumberOp::LessOrEqual:
      return a <= b ? 1 : 0;
    case NumberOp::GreaterOrEqual:
      return a >= b ? 1 : 0;
    case NumberOp::Neg:
      return -a;
    case NumberOp::Abs:
      return std::abs(a);
    case NumberOp::Not:
      return a == 0 ? 1 : 0;
    case NumberOp::Sqrt:
      return std::sqrt(a);
    case NumberOp::Reciprocal:
      return 1 / a;
    case NumberOp::Log:
      return std::log(a);
    case NumberOp::Exp:
      return std::exp(a);
    case NumberOp::Cos:
      return std::cos(a);
    case NumberOp::Sin:
      return std::sin(a);
    case NumberOp::Floor:
      return std::floor(a);
    case NumberOp::Ceil:
      return std::ceil(a);
    case NumberOp::Sign:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
    case NumberOp::IsNan:
      return std::isnan(a) ? 1 : 0;
  }
  return 0;
}

bool gives_bool(NumberOp op) {
  return (op >= NumberOp::And && op <= NumberOp::GreaterOrEqual) || op == NumberOp::Not ||
         op == NumberOp::IsNan;
}

double rounded(double value, Numbers::Type type) {
  if (type == Numbers::Type::Float) return static_cast<double>(static_cast<float>(value));
  return value;
}

// Copies the elements at `begin` plus strides, for extents whose product is `count`.
Values copied(const Values& from, std::span<const int64_t> extents, int64_t begin,
              std::span<const int64_t> strides, size_t count) {
  Values out;
  out.reserve(count);
  std::vector<int64_t> at(extents.size());
  int64_t position = begin;
  while (out.size() < count) {
    out.push_back(from[static_cast<size_t>(position)]);
    for (size_t axis = extents.size(); axis-- > 0;) {
      position += strides[axis];
      if (++at[axis] < extents[axis]) break;
      position -= strides[axis] * extents[axis];
      at[axis] = 0;
    }
  }
  return out;
}

std::vector<int64_t> sampled(const Dims& dims, int64_t n_tokens) {
  std::vector<int64_t> extents;
  for (const Dim& dim : dims) extents.push_back(dim.at(n_tokens));
  return extents;
}

// The operand, repeated to the extents of the result.
std::optional<Numbers> spread(const Numbers& from, const Dims& dims, int64_t n_tokens) {
  if (from.dims == dims) return from;
  const auto own = row_strides(from.dims, n_tokens);
  const size_t more = dims.size() - from.dims.size();
  std::vector<int64_t> strides(dims.size());
  for (size_t i = 0; i < own.size(); ++i) strides[more + i] = from.dims[i].is(1) ? 0 : own[i];
  const size_t axis = from.has_mask() ? from.mask_axis + more : Numbers::kNoAxis;
  return viewed(from, dims, 0, strides, axis, n_tokens);
}

bool is_symbolic(const Numbers& numbers) {
  return std::ranges::any_of(numbers.exact, [](const Dim& dim) { return !dim.is_number(); });
}

std::optional<Dim> exact_result(NumberOp op, const Dim& a, const Dim& b) {
  if (op == NumberOp::Add || op == NumberOp::Sub) return plus(a, b, op == NumberOp::Sub);
  if (op == NumberOp::Mul) return times(a, b);
  if (!a.is_number() || !b.is_number()) {
    // Counts are above 0.
    if (op == NumberOp::Equal && (a.is_number() ? a.factor <= 0 : b.is_number() && b.factor <= 0)) {
      return number_dim(0);
    }
    return op == NumberOp::Div ? divided(a, b) : std::nullopt;
  }
  const double number =
      result_of(op, static_cast<double>(a.factor), static_cast<double>(b.factor), true);
  if (!(std::abs(number) < 0x1p62)) return std::nullopt;
  return number_dim(static_cast<int64_t>(number));
}

// Whether the result is known for any number of texts and tokens, or does not depend on them.
bool set_exact_result(NumberOp op, const Numbers& a, const Numbers& b, Numbers& out) {
  const bool symbolic = is_symbolic(a) || is_symbolic(b);
  if (a.exact.empty() || b.exact.empty()) return !symbolic;
  for (size_t i = 0; i < out.on.size(); ++i) {
    const auto value = exact_result(op, a.exact[a.exact.size() == 1 ? 0 : i],
                                    b.exact[b.exact.size() == 1 ? 0 : i]);
    if (!value) return !symbolic;
    if (out.type == Numbers::Type::Int) out.exact.push_back(*value);
  }
  return true;
}

}  // namespace

std::optional<double> Numbers::scalar() const {
  if (on.size() != 1 || has_mask() ||
      !std::ranges::all_of(dims, [](const Dim& dim) { return dim.is(1); })) {
    return std::nullopt;
  }
  return on.front();
}

void set_exact(Numbers& numbers) {
  numbers.exact.clear();
  if (numbers.type != Numbers::Type::Int || numbers.dims.size() > 1 || numbers.has_mask()) return;
  for (const double value : numbers.on) {
    const bool fits = std::abs(value) < 0x1p62;
    numbers.exact.push_back(number_dim(fits        ? static_cast<int64_t>(value)
                                       : value < 0 ? -INT64_MAX
                                                   : INT64_MAX));
  }
}

Numbers integers(std::vector<Dim> values, bool is_scalar, int64_t n_tokens) {
  Numbers out;
  out.type = Numbers::Type::Int;
  if (!is_scalar) out.dims = {number_dim(static_cast<int64_t>(values.size()))};
  for (const Dim& value : values) out.on.push_back(static_cast<double>(value.at(n_tokens)));
  out.exact = std::move(values);
  return out;
}

std::optional<NumberOp> number_op(std::string_view op_type) {
  const auto* const found = std::ranges::find(kOpNames, op_type, &OpName::name);
  if (found == kOpNames.end()) return std::nullopt;
  return found->op;
}

std::vector<int64_t> row_strides(const Dims& dims, int64_t n_tokens) {
  std::vector<int64_t> strides(dims.size());
  int64_t step = 1;
  for (size_t axis = dims.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= dims[axis].at(n_tokens);
  }
  return strides;
}

std::optional<Numbers> viewed(const Numbers& from, Dims dims, int64_t begin,
                              std::span<const int64_t> strides, size_t mask_axis,
                              int64_t n_tokens) {
  const auto count = sample_count(dims, n_tokens);
  if (!count) return std::nullopt;
  const auto extents = sampled(dims, n_tokens);
  Numbers out;
  out.type = from.type;
  out.dims = std::move(dims);
  out.on = copied(from.on, extents, begin, strides, *count);
  if (from.has_mask()) {
    out.off = copied(from.off, extents, begin, strides, *count);
    out.mask_axis = mask_axis;
  }
  return out;
}

std::optional<Numbers> combined(NumberOp op, const Numbers& a, const Numbers& b, int64_t n_tokens) {
  const auto dims = broadcast(a.dims, b.dims);
  if (!dims) return std::nullopt;
  const auto left = spread(a, *dims, n_tokens);
  const auto right = spread(b, *dims, n_tokens);
  if (!left || !right) return std::nullopt;
  const bool masks = left->has_mask() && right->has_mask();
  if (masks && left->mask_axis != right->mask_axis) return std::nullopt;
  Numbers out;
  out.dims = *dims;
  out.type = gives_bool(op) ? Numbers::Type::Bool : a.type;
  const bool is_integer = a.type != Numbers::Type::Float;
  const auto all = [&](const Values& x, const Values& y) {
    Values values(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      values[i] = rounded(result_of(op, x[i], y[i], is_integer), out.type);
    }
    return values;
  };
  out.on = all(left->on, right->on);
  if (left->has_mask() || right->has_mask()) {
    out.off =
        all(left->has_mask() ? left->off : left->on, right->has_mask() ? right->off : right->on);
    out.mask_axis = left->has_mask() ? left->mask_axis : right->mask_axis;
  }
  if (!set_exact_result(op, a, b, out)) return std::nullopt;
  if (out.exact.size() != out.on.size()) out.exact.clear();
  return out;
}

std::optional<Numbers> of_each(NumberOp op, Numbers a) {
  const bool is_integer = a.type != Numbers::Type::Float;
  const bool was_exact = !a.exact.empty();
  if (is_symbolic(a)) return std::nullopt;
  if (gives_bool(op)) a.type = Numbers::Type::Bool;
  for (Values* values : {&a.on, &a.off}) {
    for (double& value : *values) value = rounded(result_of(op, value, 0, is_integer), a.type);
  }
  if (was_exact) set_exact(a);
  return a;
}

std::optional<Numbers> chosen(const Numbers& condition, const Numbers& yes, const Numbers& no,
                              int64_t n_tokens) {
  auto dims = broadcast(yes.dims, no.dims);
  if (dims) dims = broadcast(*dims, condition.dims);
  if (!dims) return std::nullopt;
  const auto c = spread(condition, *dims, n_tokens);
  const auto y = spread(yes, *dims, n_tokens);
  const auto n = spread(no, *dims, n_tokens);
  if (!c || !y || !n) return std::nullopt;
  Numbers out;
  out.dims = *dims;
  out.type = yes.type;
  for (const auto* part : {&*c, &*y, &*n}) {
    if (!part->has_mask()) continue;
    if (out.mask_axis != Numbers::kNoAxis && out.mask_axis != part->mask_axis) return std::nullopt;
    out.mask_axis = part->mask_axis;
  }
  const auto all = [&](const Values& which, const Values& a, const Values& b) {
    Values values(which.size());
    for (size_t i = 0; i < which.size(); ++i) values[i] = which[i] != 0 ? a[i] : b[i];
    return values;
  };
  out.on = all(c->on, y->on, n->on);
  if (out.mask_axis != Numbers::kNoAxis) {
    const auto off = [](const Numbers& part) { return part.has_mask() ? part.off : part.on; };
    out.off = all(off(*c), off(*y), off(*n));
  }
  if (!yes.exact.empty() && !no.exact.empty() && out.dims.size() <= 1 && !condition.has_mask()) {
    for (size_t i = 0; i < out.on.size(); ++i) {
      const auto& from = c->on[i] != 0 ? yes.exact : no.exact;
      out.exact.push_back(from[from.size() == 1 ? 0 : i]);
    }
  }
  return out;
}

std::optional<Numbers> as_type(Numbers numbers, Numbers::Type type) {
  if (type == numbers.type) return numbers;
  if (is_symbolic(numbers)) return std::nullopt;
  for (Values* values : {&numbers.on, &numbers.off}) {
    for (double& value : *values) {
      if (type == Numbers::Type::Bool) {
        value = value != 0 ? 1 : 0;
      } else if (type == Numbers::Type::Float) {
        value = rounded(value, type);
      } else {
        value = std::isfinite(value) ? std::trunc(value) : -0x1p63;
      }
    }
  }
  numbers.type = type;
  numbers.exact.clear();
  return numbers;
}

}  // namespace ambry::convert::onnx
