// tinyRuntime's float networks with int8 weights: DQ8 with a scale a group, byte for byte as the
// reference exporter makes it, and SQ8 with a scale a tensor and observed ranges of activations.
#pragma once

#include "base/result.h"
#include "convert/plan.h"
#include "model/cnn/cnn_ranges.h"

namespace ambry::convert {

// `vanilla` writes a float network, wherever its numbers come from; Unsupported for another
// variant. Weights and biases share a scale by `group` elements, where the layer's form allows it;
// BadValue for 0.
[[nodiscard]] Result<Plan> plan_dq8(Plan vanilla, uint64_t group, bool asymmetric);

// Ranges by the smallest and largest value, where PyTorch searches for better ones in a histogram:
// the file is of the same form, its numbers are others. BadValue when the ranges are not those of
// such a network.
[[nodiscard]] Result<Plan> plan_sq8(Plan vanilla, const model::CnnRanges& ranges);

}  // namespace ambry::convert
