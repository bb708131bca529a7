// The order in which GGUF has the heads of a gated delta net: first one head of values of each head
// of keys, then the next one of each. Elsewhere those of one head of keys follow each other.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/plan/plan.h"
#include "model/decoder/config/gated_delta_config.h"

namespace ambry::convert {

// Cuts the one input into the rows of heads where GGUF's tensor `name` ('#' for the layer) has
// another order of them. Unsupported for types that do not store row after row.
[[nodiscard]] Result<void> order_head_rows(const model::GatedDeltaConfig& sizes,
                                           std::string_view name, Output& output);

// Reorders the columns of the last matrix. Unsupported where the target keeps codes as they are.
[[nodiscard]] Result<void> order_head_columns(const model::GatedDeltaConfig& sizes,
                                              std::string_view name,
                                              const model::TensorEntry& target, Output& output);

}  // namespace ambry::convert
