// GGUF stores all experts of a layer as one tensor.
#pragma once

#include "base/result.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_model.h"
#include "model/file/model.h"

namespace ambry::convert {

// Makes the last tensor of `plan`, which is the first expert `from` of a layer, a stack of
// matrices.
[[nodiscard]] Result<void> begin_expert_stack(const SourceModel& source,
                                              const model::TensorEntry& from, Plan& plan);

// Adds a further expert to the stack. Unsupported where its type differs from the first one's.
[[nodiscard]] Result<void> add_to_expert_stack(const SourceModel& source,
                                               const model::TensorEntry& from, Plan& plan);

}  // namespace ambry::convert
