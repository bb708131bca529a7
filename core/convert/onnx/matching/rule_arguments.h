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

}  // namespace ambry::convert::onnx
