// How much memory a model takes to run, from its headers alone.
#pragma once

#include <cstdint>
#include <optional>

#include "model/model.h"

namespace ambry::api {

// Bytes of the heap: weights, vocabulary, and what a usual job works in.
struct MemoryEstimate {
  uint64_t as_stored = 0;
  uint64_t int8 = 0;
};

// Nothing for a file that holds no model to run.
[[nodiscard]] std::optional<MemoryEstimate> memory_estimate(const model::Model& model);

}  // namespace ambry::api
