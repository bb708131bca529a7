// The graph of an ONNX file for people: what a page draws, as JSON.
#pragma once

#include <cstddef>

#include "formats/onnx/onnx_model.h"
#include "io/json/json.h"

namespace ambry::formats::onnx {

inline constexpr size_t kMaxNodesListed = 20'000;
// A list in an attribute is shown with this many values, and then "…".
inline constexpr size_t kMaxValuesListed = 16;

// The main graph: its name, inputs, outputs, the stated types of other values, operators and
// functions, and its first nodes in file order.
[[nodiscard]] io::Json graph_document(const OnnxModel& model);

}  // namespace ambry::formats::onnx
