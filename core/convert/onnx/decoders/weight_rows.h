// Parts of the weights of graphs.
#pragma once

#include <cstdint>
#include <optional>

#include "convert/onnx/weights/linear.h"

namespace ambry::convert::onnx {

// Rows `first` to `first + n` of a weight. Nothing where there are not so many, or the numbers of a
// row are no range of what is stored.
[[nodiscard]] std::optional<OnnxWeight> weight_rows(const OnnxWeight& whole, uint64_t first,
                                                    uint64_t n);

// Whether both are the same numbers of the same files.
[[nodiscard]] bool is_same_weight(const OnnxWeight& a, const OnnxWeight& b);

}  // namespace ambry::convert::onnx
