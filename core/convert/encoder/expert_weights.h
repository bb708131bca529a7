// The matrices of a mixture of experts, of which files have one for all experts of a layer.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// Makes tensors of their own, `…mlp.experts.0.fc1.weight`, of the experts in a matrix: those of
// nomic's `…mlp.experts.mlp.w1` and `.w2`, whose rows are those of all experts, and of which the
// second is stored as [in, out], and those of `…mlp.experts.fc1.weight` and `.fc2.weight`, which
// GGUF has as [experts, out, in]. Mismatch for a number of rows that `experts` does not divide,
// Unsupported for elements that are not stored row after row.
[[nodiscard]] Result<void> split_experts(uint32_t experts, SourceModel& source);

}  // namespace ambry::convert
