// Estimates the memory that a model needs to run, from its headers.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "formats/registry.h"
#include "model/file/model.h"

namespace ambry::api {

// Bytes of the heap: weights, vocabulary, and the working memory of a typical job.
struct MemoryEstimate {
  uint64_t as_stored = 0;
  std::optional<uint64_t> int8;  // with weights that become int8, which only encoders can
};

// `model` is in the form in which it runs (formats::Format::to_run), as `runs`. An error is the one
// with which its loader refuses the facts or the tensors.
[[nodiscard]] Result<MemoryEstimate> memory_estimate(const model::Model& model, formats::Runs runs);

// The memory of word vectors, by the bytes of their rows and words.
[[nodiscard]] MemoryEstimate memory_of_vectors(uint64_t bytes);

}  // namespace ambry::api
