#include "convert/onnx/matching/rule_arguments.h"

namespace ambry::convert::onnx {

using Integers = std::optional<std::vector<int64_t>>;
using formats::onnx::Node;

Result<Integers> fixed_integers(GraphValues& values, const Node& node, std::string_view attribute,
                                size_t input) {
  if (auto stated = values.file().ints_of(node, attribute)) return Integers(std::move(*stated));
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

}  // namespace ambry::convert::onnx
