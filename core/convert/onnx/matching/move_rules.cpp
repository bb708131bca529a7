// Operators that move elements and change none.
#include <algorithm>
#include <array>
#include <utility>

#include "convert/onnx/matching/graph_values.h"
#include "convert/onnx/matching/rule_arguments.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::Node;

Result<Value> to_shape(GraphValues& values, NameId input, Dims dims) {
  if (const auto x = values.term_of(input)) {
    if (dims.empty()) return values.unknown();  // every term has an axis
    return GraphValues::term(values.make().reshape(*x, std::move(dims)));
  }
  AMBRY_TRY(const Numbers* numbers, values.numbers_of(input));
  if (numbers == nullptr) return values.unknown();
  return values.add(numbers_reshaped(*numbers, std::move(dims)));
}

Result<Value> reshape_rule(GraphValues& values, const Node& node) {
  const NameId input = values.file().input(node, 0);
  AMBRY_TRY(const auto from, movable_dims(values, input));
  AMBRY_TRY(auto wanted, extents_of(values, node, 1));
  if (!from || !wanted) return values.unknown();
  const bool keeps_zeros = values.file().int_of(node, "allowzero", 0) != 0;
  size_t open = SIZE_MAX;
  for (size_t i = 0; i < wanted->size(); ++i) {
    Dim& dim = (*wanted)[i];
    if (dim.is(0) && !keeps_zeros) {
      if (i >= from->size()) return values.unknown();
      dim = (*from)[i];
    } else if (dim.is(-1)) {
      if (open != SIZE_MAX) return values.unknown();
      open = i;
      dim = number_dim(1);
    }
  }
  const auto all = product(*from);
  const auto rest = product(*wanted);
  if (!all || !rest) return values.unknown();
  if (open != SIZE_MAX) {
    const auto left = divided(*all, *rest);
    if (!left) return values.unknown();
    (*wanted)[open] = *left;
  } else if (*all != *rest) {
    return values.unknown();
  }
  return to_shape(values, input, std::move(*wanted));
}

Result<Value> unsqueeze_rule(GraphValues& values, const Node& node) {
  const NameId input = values.file().input(node, 0);
  AMBRY_TRY(auto dims, movable_dims(values, input));
  AMBRY_TRY(auto axes, fixed_integers(values, node, "axes", 1));
  if (!dims || !axes) return values.unknown();
  const size_t rank = dims->size() + axes->size();
  for (int64_t& axis : *axes) {
    const auto place = axis_of(axis, rank);
    if (!place) return values.unknown();
    axis = static_cast<int64_t>(*place);
  }
  std::ranges::sort(*axes);
  for (const int64_t axis : *axes) {
    if (axis > static_cast<int64_t>(dims->size())) return values.unknown();
    dims->insert(dims->begin() + static_cast<std::ptrdiff_t>(axis), number_dim(1));
  }
  return to_shape(values, input, std::move(*dims));
}

Result<Value> squeeze_rule(GraphValues& values, const Node& node) {
  const NameId input = values.file().input(node, 0);
  AMBRY_TRY(auto dims, movable_dims(values, input));
  AMBRY_TRY(auto axes, fixed_integers(values, node, "axes", 1));
  if (!dims || !axes) return values.unknown();
  for (int64_t& axis : *axes) {
    const auto place = axis_of(axis, dims->size());
    if (!place || !(*dims)[*place].is(1)) return values.unknown();
    axis = static_cast<int64_t>(*place);
  }
  std::ranges::sort(*axes, std::greater());
  for (const int64_t axis : *axes) dims->erase(dims->begin() + static_cast<std::ptrdiff_t>(axis));
  return to_shape(values, input, std::move(*dims));
}

Result<Value> transpose_rule(GraphValues& values, const Node& node) {
  const NameId input = values.file().input(node, 0);
  if (values.value(input).kind == Value::Kind::Constant) {
    return Value{Value::Kind::Constant, kNone, kNone};  // a weight, perhaps
  }
  AMBRY_TRY(const auto dims, movable_dims(values, input));
  if (!dims) return values.unknown();
  std::vector<int64_t> order;
  for (size_t i = dims->size(); i-- > 0;) order.push_back(static_cast<int64_t>(i));
  if (const auto stated = values.file().ints_of(node, "perm")) order = *stated;
  std::vector<int64_t> sorted = order;
  std::ranges::sort(sorted);
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int64_t>(i)) return values.unknown();
  }
  if (order.size() != dims->size()) return values.unknown();
  if (const auto x = values.term_of(input)) {
    return GraphValues::term(values.make().transpose(*x, std::move(order)));
  }
  AMBRY_TRY(const Numbers* numbers, values.numbers_of(input));
  const auto own = row_strides(*dims, values.n_tokens());
  Dims moved;
  std::vector<int64_t> strides;
  size_t mask_axis = Numbers::kNoAxis;
  for (size_t i = 0; i < order.size(); ++i) {
    const auto from = static_cast<size_t>(order[i]);
    moved.push_back((*dims)[from]);
    strides.push_back(own[from]);
    if (from == numbers->mask_axis) mask_axis = i;
  }
  return values.add(viewed(*numbers, std::move(moved), 0, strides, mask_axis, values.n_tokens()));
}

Result<Value> expand_rule(GraphValues& values, const Node& node) {
  const NameId input = values.file().input(node, 0);
  AMBRY_TRY(const auto from, movable_dims(values, input));
  AMBRY_TRY(const auto wanted, extents_of(values, node, 1));
  if (!from || !wanted) return values.unknown();
  const auto dims = broadcast(*from, *wanted);
  if (!dims) return values.unknown();
  if (const auto x = values.term_of(input)) {
    if (*dims == *from) return GraphValues::term(*x);
    return GraphValues::term(values.make().add({.op = Op::Repeat, .dims = *dims, .args = {*x}}));
  }
  AMBRY_TRY(const Numbers* numbers, values.numbers_of(input));
  const auto own = row_strides(*from, values.n_tokens());
  std::vector<int64_t> strides(dims->size());
  const size_t more = dims->size() - from->size();
  for (size_t i = 0; i < own.size(); ++i) strides[more + i] = (*from)[i].is(1) ? 0 : own[i];
  const size_t mask_axis = numbers->has_mask() ? numbers->mask_axis + more : Numbers::kNoAxis;
  return values.add(viewed(*numbers, *dims, 0, strides, mask_axis, values.n_tokens()));
}

Result<Value> same_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  // A Dropout that drops nothing.
  if (file.input(node, 2) != formats::onnx::kNoName) {
    AMBRY_TRY(const auto training, scalar_of(values, file.input(node, 2)));
    if (training != 0) return values.unknown();
  }
  return values.value(file.input(node, 0));
}

constexpr std::array kMoveRules = {
    RuleRow{"Reshape", reshape_rule}, RuleRow{"Unsqueeze", unsqueeze_rule},
    RuleRow{"Squeeze", squeeze_rule}, RuleRow{"Transpose", transpose_rule},
    RuleRow{"Expand", expand_rule},   RuleRow{"Identity", same_rule},
    RuleRow{"Dropout", same_rule}};

}  // namespace

Rule move_rule(std::string_view op_type) { return find_rule(kMoveRules, op_type); }

}  // namespace ambry::convert::onnx
