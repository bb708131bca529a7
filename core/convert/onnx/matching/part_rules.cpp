// Operators that take a part of a value, or put parts together.
#include <algorithm>
#include <array>
#include <utility>

#include "convert/onnx/matching/graph_values.h"
#include "convert/onnx/matching/rule_arguments.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::Node;

// A run of indices along one axis.
struct Run {
  int64_t first = 0;
  Dim count;
};

// From `begin` to before `end`. Nothing where that depends on the number of tokens otherwise than
// by its end.
std::optional<Run> run_of(const Dim& extent, Dim begin, Dim end) {
  if (!begin.is_number()) return std::nullopt;
  if (extent.batches > 0 && (begin.factor != 0 || end != extent)) return std::nullopt;
  if (extent.is_number()) {
    const int64_t n = extent.factor;
    const auto place = [&](int64_t at) { return std::clamp(at < 0 ? at + n : at, int64_t{0}, n); };
    const int64_t first = place(begin.factor);
    // A table that is longer than any text.
    if (!end.is_number()) {
      if (first != 0) return std::nullopt;
      return Run{0, end};
    }
    return Run{first, number_dim(std::max(int64_t{0}, place(end.factor) - first))};
  }
  if (begin.factor < 0) return std::nullopt;
  if (end == extent || (end.is_number() && end.factor >= INT32_MAX)) {
    const auto left = plus(extent, begin, true);
    if (!left) return std::nullopt;
    return Run{begin.factor, *left};
  }
  // The first token: every text has one.
  if (begin.is(0) && end.is(1)) return Run{0, number_dim(1)};
  return std::nullopt;
}

// Whether all of a constant, and not only its beginning, is 0, 1, 2, … or one number. So a longer
// text gets what the rule has seen.
bool goes_on(const Numbers& numbers) {
  const auto& all = numbers.on;
  bool counts = numbers.type != Numbers::Type::Float;
  bool same = true;
  for (size_t i = 0; i < all.size(); ++i) {
    counts = counts && all[i] == static_cast<double>(i);
    same = same && all[i] == all.front();
  }
  return counts || same;
}

Result<Value> taken(GraphValues& values, NameId input, size_t axis, const Run& run) {
  if (const auto x = values.term_of(input)) {
    return GraphValues::term(values.make().slice(*x, axis, run.first, run.count));
  }
  AMBRY_TRY(const Numbers* numbers, values.numbers_of(input));
  if (numbers == nullptr) return values.unknown();
  if (numbers->dims[axis] == run.count && run.first == 0) return values.add(*numbers);
  if (numbers->dims[axis].batches > 0 || axis == numbers->mask_axis) return values.unknown();
  const int64_t extent = numbers->dims[axis].at(values.n_tokens());
  const int64_t count = run.count.at(values.n_tokens());
  if (run.count.tokens > 0 && numbers->dims[axis].is_number() && !goes_on(*numbers)) {
    return values.unknown();
  }
  if (run.first + count > extent) return values.unknown();
  const auto strides = row_strides(numbers->dims, values.n_tokens());
  Dims dims = numbers->dims;
  dims[axis] = run.count;
  auto out = viewed(*numbers, std::move(dims), run.first * strides[axis], strides,
                    numbers->mask_axis, values.n_tokens());
  if (out && !numbers->exact.empty() && run.count.is_number()) {
    const auto from = numbers->exact.begin() + static_cast<std::ptrdiff_t>(run.first);
    out->exact.assign(from, from + static_cast<std::ptrdiff_t>(count));
  }
  return values.add(std::move(out));
}

Result<Value> slice_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const NameId input = file.input(node, 0);
  AMBRY_TRY(const auto dims, movable_dims(values, input));
  if (!dims) return values.unknown();
  std::optional<Dims> begins;
  std::optional<Dims> ends;
  const auto stated = [&](std::string_view attribute) {
    Dims out;
    for (const int64_t value : file.ints_of(node, attribute).value_or(std::vector<int64_t>())) {
      out.push_back(number_dim(value));
    }
    return out;
  };
  if (node.n_inputs == 1) {
    begins = stated("starts");
    ends = stated("ends");
  } else {
    AMBRY_TRY(begins, extents_of(values, node, 1));
    AMBRY_TRY(ends, extents_of(values, node, 2));
  }
  AMBRY_TRY(const auto axes, fixed_integers(values, node, "axes", 3));
  AMBRY_TRY(const auto steps, fixed_integers(values, node, "steps", 4));
  if (!begins || !ends || begins->size() != 1 || ends->size() != 1) return values.unknown();
  if (steps && *steps != std::vector<int64_t>{1}) return values.unknown();
  if (!steps && file.input(node, 4) != formats::onnx::kNoName) return values.unknown();
  if (!axes && file.input(node, 3) != formats::onnx::kNoName) return values.unknown();
  const auto axis = axis_of(axes ? axes->front() : 0, dims->size());
  if (!axis || (axes && axes->size() != 1)) return values.unknown();
  const auto run = run_of((*dims)[*axis], begins->front(), ends->front());
  if (!run) return values.unknown();
  return taken(values, input, *axis, *run);
}

// One index of an axis, which goes, or an axis by a list of indices.
Result<Value> gather_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const NameId input = file.input(node, 0);
  AMBRY_TRY(const auto dims, movable_dims(values, input));
  if (!dims) return values.unknown();
  AMBRY_TRY(const auto indices, extents_of(values, node, 1));
  const auto axis = axis_of(file.int_of(node, "axis", 0), dims->size());
  if (!indices || !axis || indices->size() != 1) return values.unknown();
  AMBRY_TRY(const Numbers* index, values.numbers_of(file.input(node, 1)));
  if (index->dims.size() > 1) return values.unknown();
  const Dim& extent = (*dims)[*axis];
  Dim at = indices->front();
  if (!at.is_number()) return values.unknown();
  if (at.factor < 0 && extent.is_number()) at.factor += extent.factor;
  if (at.factor < 0) return values.unknown();
  if (extent.is_number() ? at.factor >= extent.factor : at.factor > 0) return values.unknown();
  AMBRY_TRY(const Value one, taken(values, input, *axis, {at.factor, number_dim(1)}));
  if (!index->dims.empty() || one.kind == Value::Kind::Unknown) return one;
  Dims rest = *dims;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(*axis));
  if (one.kind == Value::Kind::Term) {
    if (rest.empty()) return values.unknown();
    return GraphValues::term(values.make().reshape(one.at, std::move(rest)));
  }
  Numbers scalar = values.numbers(one.at);
  std::vector<Dim> exact = std::move(scalar.exact);
  auto out = numbers_reshaped(std::move(scalar), std::move(rest));
  if (out && out->dims.empty()) out->exact = std::move(exact);
  return values.add(std::move(out));
}

Result<Value> split_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const NameId input = file.input(node, 0);
  const auto x = values.term_of(input);
  if (!x) return values.unknown();
  const Dims dims = values.dims_of(input);
  const auto axis = axis_of(file.int_of(node, "axis", 0), dims.size());
  if (!axis || !dims[*axis].is_number()) return values.unknown();
  AMBRY_TRY(auto sizes, fixed_integers(values, node, "split", 1));
  const auto parts = static_cast<int64_t>(node.n_outputs);
  const int64_t all = dims[*axis].factor;
  if (!sizes) {
    if (file.input(node, 1) != formats::onnx::kNoName || all % parts != 0) return values.unknown();
    sizes = std::vector<int64_t>(node.n_outputs, all / parts);
  }
  int64_t first = 0;
  if (sizes->size() != node.n_outputs) return values.unknown();
  for (const int64_t size : *sizes) {
    if (size <= 0 || size > all - first) return values.unknown();
    first += size;
  }
  if (first != all) return values.unknown();
  first = 0;
  for (size_t i = 0; i < sizes->size(); ++i) {
    const TermId part = values.make().slice(*x, *axis, first, number_dim((*sizes)[i]));
    values.set(file.output(node, i), GraphValues::term(part));
    first += (*sizes)[i];
  }
  return values.value(file.output(node));
}

Result<Value> concat_numbers(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  std::vector<const Numbers*> parts;
  for (const NameId input : file.graph().inputs_of(node)) {
    AMBRY_TRY(const Numbers* part, values.numbers_of(input));
    if (part == nullptr || part->has_mask() || part->dims.empty()) return values.unknown();
    if (!parts.empty() && part->dims.size() != parts.front()->dims.size()) return values.unknown();
    parts.push_back(part);
  }
  if (parts.empty()) return values.unknown();
  const auto axis = axis_of(file.int_of(node, "axis", 0), parts.front()->dims.size());
  if (!axis) return values.unknown();
  Numbers out;
  out.type = parts.front()->type;
  out.dims = parts.front()->dims;
  Dim total = number_dim(0);
  size_t outer = 1;
  for (size_t i = 0; i < *axis; ++i)
    outer *= static_cast<size_t>(out.dims[i].at(values.n_tokens()));
  bool exact = true;
  for (const Numbers* part : parts) {
    Dims rest = part->dims;
    rest[*axis] = out.dims[*axis];
    const auto sum = plus(total, part->dims[*axis], false);
    if (rest != out.dims || !sum) return values.unknown();
    total = *sum;
    exact = exact && part->exact.size() == part->on.size();
  }
  out.dims[*axis] = total;
  if (!sample_count(out.dims, values.n_tokens()) || outer == 0) return values.unknown();
  for (size_t i = 0; i < outer; ++i) {
    for (const Numbers* part : parts) {
      const auto size = static_cast<std::ptrdiff_t>(part->on.size() / outer);
      const auto begin = part->on.begin() + static_cast<std::ptrdiff_t>(i) * size;
      out.on.insert(out.on.end(), begin, begin + size);
      if (exact) out.exact.insert(out.exact.end(), part->exact.begin(), part->exact.end());
    }
  }
  if (!exact || out.dims.size() != 1) out.exact.clear();
  return values.add(std::move(out));
}

Result<Value> concat_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  if (!values.term_of(file.input(node, 0))) return concat_numbers(values, node);
  std::vector<TermId> parts;
  Dims dims;
  std::optional<size_t> axis;
  for (const NameId input : file.graph().inputs_of(node)) {
    const auto part = values.term_of(input);
    if (!part) return values.unknown();
    Dims own = values.dims_of(input);
    if (parts.empty()) {
      dims = own;
      axis = axis_of(file.int_of(node, "axis", 0), dims.size());
      if (!axis) return values.unknown();
    } else {
      if (own.size() != dims.size()) return values.unknown();
      const auto sum = plus(dims[*axis], own[*axis], false);
      own[*axis] = dims[*axis];
      if (!sum || own != dims) return values.unknown();
      dims[*axis] = *sum;
    }
    parts.push_back(*part);
  }
  return GraphValues::term(values.make().add({.op = Op::Concat,
                                              .dims = std::move(dims),
                                              .args = std::move(parts),
                                              .ints = {static_cast<int64_t>(*axis)}}));
}

constexpr std::array kPartRules = {RuleRow{"Slice", slice_rule}, RuleRow{"Gather", gather_rule},
                                   RuleRow{"Split", split_rule}, RuleRow{"Concat", concat_rule}};

}  // namespace

Rule part_rule(std::string_view op_type) { return find_rule(kPartRules, op_type); }

}  // namespace ambry::convert::onnx
