// Writes the EMBD file of a static encoder whose rows are in memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "distill/distill_options.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::distill {

// `kept` are the ids of the tokens in `source` that the file has, in order; `rows` their vectors.
[[nodiscard]] Result<std::vector<uint8_t>> static_file(const model::TokenizerData& source,
                                                       std::span<const uint32_t> kept,
                                                       std::span<const float> rows, uint32_t dim,
                                                       const DistillOptions& options);

}  // namespace ambry::distill
