#include "convert/onnx/matching/rule_arguments.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ambry::convert::onnx {
namespace {

// The axes but those of extent 1.
Dims long_axes(const Dims& dims) {
  Dims out;
  std::ranges::copy_if(dims, std::back_inserter(out), [](const Dim& dim) { return !dim.is(1); });
  return out;
}

bool has_batches(const Dims& dims) {
  return std::ranges::any_of(dims, [](const Dim& dim) { return dim.batches > 0; });
}

}  // namespace

using Integers = std::optional<std::vector<int64_t>>;
using formats::onnx::Node;

Result<Integers> fixed_integers(GraphValues& values, const Node& node, std::string_view attribute,
                                size_t input) {
  if (Integers stated = values.file().ints_of(node, attribute)) return stated;
  AMBRY_TRY(const auto extents, extents_of(values, node, input));
  if (!extents || extents->empty()) return Integers();
  std::vector<int64_t> out;
  for (const Dim& dim : *extents) {
    if (!dim.is_number()) return Integers();
    out.push_back(dim.factor);
  }
  return Integers(std::move(out));
}

Result<std::optional<Dims>> extents_of(GraphValues& values, const Node& node, size_t input) {
  AMBRY_TRY(const Numbers* numbers, values.numbers_of(values.file().input(node, input)));
  if (numbers == nullptr || numbers->exact.size() != numbers->on.size()) {
    return std::optional<Dims>();
  }
  return std::optional(numbers->exact);
}

Result<std::optional<double>> scalar_of(GraphValues& values, NameId name) {
  AMBRY_TRY(const Numbers* numbers, values.numbers_of(name));
  return numbers == nullptr ? std::optional<double>() : numbers->scalar();
}

Operands operands_of(const GraphValues& values, const Node& node) {
  const NameId first = values.file().input(node, 0);
  const NameId second = values.file().input(node, 1);
  const auto a = values.term_of(first);
  const auto b = values.term_of(second);
  if (a) return {a, b, second, false};
  return {b, std::nullopt, first, true};
}

Result<std::optional<double>> factor_of(GraphValues& values, const Operands& from) {
  AMBRY_TRY(const Numbers* numbers, values.numbers_of(from.other));
  if (numbers == nullptr) return std::optional<double>();
  if (numbers->dims.size() > values.terms()[*from.x].dims.size()) return std::optional<double>();
  return numbers->scalar();
}

Result<std::optional<Dims>> movable_dims(GraphValues& values, NameId input) {
  if (values.term_of(input)) return std::optional(values.dims_of(input));
  AMBRY_TRY(const Numbers* numbers, values.numbers_of(input));
  return numbers == nullptr ? std::optional<Dims>() : std::optional(numbers->dims);
}

std::optional<Numbers> numbers_reshaped(Numbers numbers, Dims dims) {
  const bool keeps_axes = long_axes(numbers.dims) == long_axes(dims);
  if ((numbers.has_mask() || has_batches(numbers.dims)) && !keeps_axes) return std::nullopt;
  if (numbers.has_mask()) {
    // The axis of the tokens is the last one that is long before it and in it.
    size_t before = 0;
    for (size_t i = 0; i < numbers.mask_axis; ++i) before += numbers.dims[i].is(1) ? 0 : 1;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i].is(1)) continue;
      if (before-- == 0) {
        numbers.mask_axis = i;
        break;
      }
    }
  }
  numbers.dims = std::move(dims);
  if (numbers.dims.size() > 1) numbers.exact.clear();
  return numbers;
}

}  // namespace ambry::convert::onnx
