// Estimates the memory that a model needs to run, from its headers.
#pragma once

#include <cstdint>
#include <optional>

#include "model/model.h"

namespace ambry::api {

// Bytes of the heap: weights, vocabulary, and the working memory of a typical job.
struct MemoryEstimate {
  uint64_t as_stored = 0;
  uint64_t int8 = 0;
};

// Returns nothing for a file without a model to run.
[[nodiscard]] std::optional<MemoryEstimate> memory_estimate(const model::Model& model);

}  // namespace ambry::api
