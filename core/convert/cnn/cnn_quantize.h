// Quantizes tinyRuntime's float networks to int8 weights: DQ8 with a scale for each group, byte for
// byte as the reference exporter does it, and SQ8 with a scale for each tensor and observed ranges
// of activations.
#pragma once

#include "base/result.h"
#include "convert/plan/plan.h"
#include "model/cnn/cnn_ranges.h"

namespace ambry::convert {

// `vanilla` is the plan of a float network, from any source; Unsupported for another variant.
// `group` elements share a scale, if the layer's shape allows it. BadValue for 0.
[[nodiscard]] Result<Plan> plan_dq8(Plan vanilla, uint64_t group, bool asymmetric);

// Takes ranges from the smallest and largest value. PyTorch searches for better ranges in a
// histogram, so the file has the same form but other values. BadValue when the ranges do not fit
// the network.
[[nodiscard]] Result<Plan> plan_sq8(Plan vanilla, const model::CnnRanges& ranges);

}  // namespace ambry::convert
