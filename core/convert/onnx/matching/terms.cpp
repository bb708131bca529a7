#include "convert/onnx/matching/terms.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace ambry::convert::onnx {
namespace {

// Constants that exporters write are floats, and halves in models of halves.
bool near(double a, double b) { return std::abs(a - b) <= 1e-3 * std::abs(b); }

void append(std::string& key, uint64_t number) {
  do {
    key += static_cast<char>((number & 0x7FU) | (number > 0x7F ? 0x80U : 0U));
    number >>= 7U;
  } while (number > 0);
}

std::string key_of(const Term& term) {
  std::string key;
  append(key, static_cast<uint64_t>(term.op));
  append(key, term.args.size());
  for (const TermId id : term.args) append(key, id);
  append(key, term.ints.size());
  for (const int64_t value : term.ints) append(key, static_cast<uint64_t>(value));
  append(key, std::bit_cast<uint64_t>(term.number));
  for (const uint32_t id : {term.weight, term.bias, term.numbers}) append(key, id);
  for (const Dim& dim : term.dims) {
    append(key, static_cast<uint64_t>(dim.factor));
    append(key, dim.batches * 16U + dim.tokens);
  }
  return key;
}

}  // namespace

TermId Terms::add(Term term) {
  std::string key = key_of(term);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (term.node == kNone) term.node = node_;
  const auto id = static_cast<TermId>(terms_.size());
  terms_.push_back(std::move(term));
  known_.emplace(std::move(key), id);
  return id;
}

const Term* Terms::is_call(TermId id, Function function) const {
  const Term* found = is(id, Op::Call);
  return found != nullptr && found->ints[0] == static_cast<int64_t>(function) ? found : nullptr;
}

TermId Terms::of_one(Op op, TermId x, double number) {
  const Term& from = terms_[x];
  return add(
      {.op = op, .is_integer = from.is_integer, .dims = from.dims, .args = {x}, .number = number});
}

// For `x`, which is scaled by a half: whether it is y * (1 + erf(y / sqrt(2))), or the form with
// tanh.
std::optional<TermId> Terms::as_gelu(TermId x) const {
  const Term* outer = is(x, Op::Times);
  if (outer == nullptr) return std::nullopt;
  for (const size_t side : {size_t{0}, size_t{1}}) {
    const TermId y = outer->args[side];
    const Term* shifted = is(outer->args[1 - side], Op::Shift);
    if (shifted == nullptr || shifted->number != 1) continue;
    const Term* function = is(shifted->args[0], Op::Call);
    const Term* scaled = function == nullptr ? nullptr : is(function->args[0], Op::Scale);
    if (scaled == nullptr) continue;
    if (is_call(shifted->args[0], Function::Erf) != nullptr) {
      if (scaled->args[0] == y && near(scaled->number, std::numbers::sqrt2 / 2)) return y;
      continue;
    }
    if (is_call(shifted->args[0], Function::Tanh) == nullptr) continue;
    if (!near(scaled->number, std::sqrt(2 * std::numbers::inv_pi))) continue;
    const auto is_cubic = [&](TermId cubic) {  // 0.044715 * y ^ 3
      const Term* factor = is(cubic, Op::Scale);
      const Term* cube = factor == nullptr ? nullptr : is(factor->args[0], Op::Power);
      return cube != nullptr && cube->args[0] == y && cube->number == 3 &&
             near(factor->number, 0.044715);
    };
    if (const Term* inner = is(scaled->args[0], Op::Sum)) {
      if ((inner->args[0] == y && is_cubic(inner->args[1])) ||
          (inner->args[1] == y && is_cubic(inner->args[0]))) {
        return y;
      }
    }
  }
  return std::nullopt;
}

TermId Terms::scale(TermId x, double factor) {
  if (factor == 1) return x;
  if (const Term* inner = is(x, Op::Scale)) return scale(inner->args[0], inner->number * factor);
  if (factor == 0.5) {
    if (const auto y = as_gelu(x)) {
      const bool erf = [&] {
        for (const TermId arg : terms_[x].args) {
          if (const Term* shifted = is(arg, Op::Shift)) {
            if (is_call(shifted->args[0], Function::Erf) != nullptr) return true;
          }
        }
        return false;
      }();
      return call(erf ? Function::Gelu : Function::GeluTanh, *y);
    }
  }
  return of_one(Op::Scale, x, factor);
}

TermId Terms::shift(TermId x, double number) {
  if (number == 0) return x;
  if (const Term* inner = is(x, Op::Shift)) return shift(inner->args[0], inner->number + number);
  return of_one(Op::Shift, x, number);
}

TermId Terms::power(TermId x, double exponent) {
  return exponent == 1 ? x : of_one(Op::Power, x, exponent);
}

TermId Terms::sum(TermId a, TermId b, const Dims& dims) {
  return add({.op = Op::Sum,
              .is_integer = terms_[a].is_integer,
              .dims = dims,
              .args = {std::min(a, b), std::max(a, b)}});
}

TermId Terms::times(TermId a, TermId b, const Dims& dims) {
  for (const bool swaps : {false, true}) {
    const TermId one = swaps ? b : a;
    const TermId other = swaps ? a : b;
    if (const Term* scaled = is(one, Op::Scale)) {
      const double factor = scaled->number;
      return scale(times(scaled->args[0], other, dims), factor);
    }
    const Term* power_of = is(one, Op::Power);
    if (power_of != nullptr && power_of->args[0] == other)
      return power(other, power_of->number + 1);
    const Term* sigmoid = is_call(one, Function::Sigmoid);
    if (sigmoid != nullptr && sigmoid->args[0] == other) return call(Function::Silu, other);
  }
  if (a == b) return power(a, 2);
  return add({.op = Op::Times,
              .is_integer = terms_[a].is_integer,
              .dims = dims,
              .args = {std::min(a, b), std::max(a, b)}});
}

bool Terms::is_mean(TermId id, TermId of) const {
  const Term* mean = is(id, Op::Reduce);
  return mean != nullptr && mean->args[0] == of &&
         mean->ints[0] == static_cast<int64_t>(Reduction::Mean) &&
         mean->ints[1] + 1 == static_cast<int64_t>(mean->dims.size());
}

// (x - mean) / sqrt(mean of squares + epsilon)
std::optional<TermId> Terms::as_norm(TermId a, TermId b, double* epsilon) const {
  const Term* centred = is(a, Op::Difference);
  if (centred == nullptr || !is_mean(centred->args[1], centred->args[0])) return std::nullopt;
  const Term* root = is_call(b, Function::Sqrt);
  if (root == nullptr) return std::nullopt;
  // In halves, a small epsilon is 0.
  const Term* shifted = is(root->args[0], Op::Shift);
  const TermId of_squares = shifted == nullptr ? root->args[0] : shifted->args[0];
  const Term* variance = is(of_squares, Op::Reduce);
  const Term* square = variance == nullptr ? nullptr : is(variance->args[0], Op::Power);
  if (square == nullptr || square->args[0] != a || square->number != 2) return std::nullopt;
  if (!is_mean(of_squares, variance->args[0])) return std::nullopt;
  *epsilon = shifted == nullptr ? 0 : shifted->number;
  return centred->args[0];
}

TermId Terms::quotient(TermId a, TermId b, const Dims& dims) {
  double epsilon = 0;
  if (const auto x = as_norm(a, b, &epsilon)) return norm(*x, kNone, kNone, epsilon);
  return add({.op = Op::Quotient, .dims = dims, .args = {a, b}});
}

TermId Terms::product(TermId a, TermId b, Dims dims) {
  for (const bool second : {false, true}) {
    if (const Term* scaled = is(second ? b : a, Op::Scale)) {
      const double factor = scaled->number;
      const TermId inner = scaled->args[0];
      return scale(product(second ? a : inner, second ? inner : b, std::move(dims)), factor);
    }
  }
  return add({.op = Op::Product, .dims = std::move(dims), .args = {a, b}});
}

TermId Terms::linear(TermId x, uint32_t weight, uint32_t bias, Dim out) {
  Dims dims = terms_[x].dims;
  const Term* reshaped = is(x, Op::Reshape);
  if (reshaped != nullptr) {
    const TermId inner = reshaped->args[0];
    if (terms_[inner].dims.size() > 1 && terms_[inner].dims.back() == dims.back()) {
      dims.back() = out;
      return reshape(linear(inner, weight, bias, out), std::move(dims));
    }
  }
  dims.back() = out;
  return add(
      {.op = Op::Linear, .dims = std::move(dims), .args = {x}, .weight = weight, .bias = bias});
}

TermId Terms::add_weight(TermId x, uint32_t weight) {
  Term copy = terms_[x];
  if ((copy.op == Op::Linear || (copy.op == Op::Norm && copy.weight != kNone)) &&
      copy.bias == kNone) {
    copy.bias = weight;
    copy.node = node_;
    return add(std::move(copy));
  }
  if (copy.op == Op::Reshape && terms_[copy.args[0]].dims.back() == copy.dims.back()) {
    return reshape(add_weight(copy.args[0], weight), std::move(copy.dims));
  }
  return add({.op = Op::AddWeight, .dims = copy.dims, .args = {x}, .weight = weight});
}

TermId Terms::mul_weight(TermId x, uint32_t weight) {
  Term copy = terms_[x];
  if (copy.op == Op::Norm && copy.weight == kNone && copy.bias == kNone) {
    copy.weight = weight;
    copy.node = node_;
    return add(std::move(copy));
  }
  return add({.op = Op::MulWeight, .dims = copy.dims, .args = {x}, .weight = weight});
}

TermId Terms::norm(TermId x, uint32_t weight, uint32_t bias, double epsilon) {
  return add({.op = Op::Norm,
              .dims = terms_[x].dims,
              .args = {x},
              .number = epsilon,
              .weight = weight,
              .bias = bias});
}

TermId Terms::call(Function function, TermId x) {
  if (const Term* moved = is(x, Op::Reshape)) {
    Dims dims = moved->dims;
    return reshape(call(function, moved->args[0]), std::move(dims));
  }
  return add({.op = Op::Call,
              .dims = terms_[x].dims,
              .args = {x},
              .ints = {static_cast<int64_t>(function)}});
}

// A transposed term of whose axes one of extent 1 goes: it goes before.
std::optional<TermId> Terms::without_unit_axis(TermId x, const Dims& dims) {
  const Term moved = terms_[x];
  if (moved.op != Op::Transpose || moved.dims.size() != dims.size() + 1) return std::nullopt;
  for (size_t axis = 0; axis < moved.dims.size(); ++axis) {
    Dims rest = moved.dims;
    if (!rest[axis].is(1)) continue;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(axis));
    if (rest != dims) continue;
    const int64_t gone = moved.ints[axis];
    Dims inner = terms_[moved.args[0]].dims;
    inner.erase(inner.begin() + static_cast<std::ptrdiff_t>(gone));
    std::vector<int64_t> order;
    for (size_t i = 0; i < moved.ints.size(); ++i) {
      if (i != axis) order.push_back(moved.ints[i] > gone ? moved.ints[i] - 1 : moved.ints[i]);
    }
    return transpose(reshape(moved.args[0], std::move(inner)), std::move(order));
  }
  return std::nullopt;
}

// Matrices whose leading axes are one while they are transposed.
std::optional<TermId> Terms::split_again(TermId x, const Dims& dims) {
  const Term* moved = is(x, Op::Transpose);
  if (moved == nullptr || moved->ints != std::vector<int64_t>{0, 2, 1}) return std::nullopt;
  const Term* merged = is(moved->args[0], Op::Reshape);
  if (merged == nullptr) return std::nullopt;
  const TermId y = merged->args[0];
  Dims before = terms_[y].dims;
  const size_t rank = before.size();
  if (rank < 3 || !std::equal(merged->dims.begin() + 1, merged->dims.end(), before.end() - 2)) {
    return std::nullopt;
  }
  std::swap(before[rank - 1], before[rank - 2]);
  if (before != dims) return std::nullopt;
  std::vector<int64_t> order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = static_cast<int64_t>(i);
  std::swap(order[rank - 1], order[rank - 2]);
  return transpose(y, std::move(order));
}

TermId Terms::reshape(TermId x, Dims dims) {
  const Term& from = terms_[x];
  if (from.dims == dims) return x;
  if (from.op == Op::Reshape) return reshape(from.args[0], std::move(dims));
  if (from.op == Op::Scale) {
    const double factor = from.number;
    return scale(reshape(from.args[0], std::move(dims)), factor);
  }
  if (const auto same = without_unit_axis(x, dims)) return *same;
  if (const auto same = split_again(x, dims)) return *same;
  return add(
      {.op = Op::Reshape, .is_integer = from.is_integer, .dims = std::move(dims), .args = {x}});
}

TermId Terms::transpose(TermId x, std::vector<int64_t> order) {
  const Term& from = terms_[x];
  if (std::ranges::is_sorted(order)) return x;
  if (from.op == Op::Transpose) {
    for (int64_t& axis : order) axis = from.ints[static_cast<size_t>(axis)];
    return transpose(from.args[0], std::move(order));
  }
  if (from.op == Op::Scale) {
    const double factor = from.number;
    return scale(transpose(from.args[0], std::move(order)), factor);
  }
  Dims dims;
  for (const int64_t axis : order) dims.push_back(from.dims[static_cast<size_t>(axis)]);
  return add({.op = Op::Transpose,
              .is_integer = from.is_integer,
              .dims = std::move(dims),
              .args = {x},
              .ints = std::move(order)});
}

TermId Terms::slice(TermId x, size_t axis, int64_t first, Dim count) {
  const Term from = terms_[x];
  if (first == 0 && from.dims[axis] == count) return x;
  if (from.op == Op::Scale) return scale(slice(from.args[0], axis, first, count), from.number);
  if (from.op == Op::Transpose) {
    return transpose(slice(from.args[0], static_cast<size_t>(from.ints[axis]), first, count),
                     from.ints);
  }
  Dims dims = from.dims;
  dims[axis] = count;
  return add({.op = Op::Slice,
              .is_integer = from.is_integer,
              .dims = std::move(dims),
              .args = {x},
              .ints = {static_cast<int64_t>(axis), first}});
}

}  // namespace ambry::convert::onnx
