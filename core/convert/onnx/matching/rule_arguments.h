// Arguments of operators that older versions have as attributes and newer ones as inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/onnx/matching/graph_values.h"

namespace ambry::convert::onnx {

// Integers that are the same for all texts: those of the attribute, else those of the input. Empty
// lists are nothing, as is an input that is left out.
[[nodiscard]] Result<std::optional<std::vector<int64_t>>> fixed_integers(
    GraphValues& values, const formats::onnx::Node& node, std::string_view attribute, size_t input);

// The extents that an input says, for any number of texts and tokens. Nothing where it is unknown.
[[nodiscard]] Result<std::optional<Dims>> extents_of(GraphValues& values,
                                                     const formats::onnx::Node& node, size_t input);

// The float of an input that is a constant of one number. Nothing for others.
[[nodiscard]] Result<std::optional<double>> scalar_of(GraphValues& values, NameId name);

// The operands of a node, one of which is a term.
struct Operands {
  std::optional<TermId> x;                // a term
  std::optional<TermId> y;                // the other term
  NameId other = formats::onnx::kNoName;  // what is not x
  bool swapped = false;                   // x is the second input
};
[[nodiscard]] Operands operands_of(const GraphValues& values, const formats::onnx::Node& node);
// The number that is the other operand. Nothing unless the shape of x takes it in.
[[nodiscard]] Result<std::optional<double>> factor_of(GraphValues& values, const Operands& from);

// The extents of a value that may be moved. Nothing for one that is unknown or a large constant.
[[nodiscard]] Result<std::optional<Dims>> movable_dims(GraphValues& values, NameId input);
// Nothing where the batch or the mask would not keep its axis.
[[nodiscard]] std::optional<Numbers> numbers_reshaped(Numbers numbers, Dims dims);

}  // namespace ambry::convert::onnx
