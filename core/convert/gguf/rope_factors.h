// The factors of the rotary angles that GGUF stores as the tensor `rope_freqs.weight`: llama.cpp
// divides the frequency of each rotated pair by its factor.
#pragma once

#include <vector>

#include "convert/plan/plan.h"
#include "model/decoder/decoder_config.h"

namespace ambry::convert {

// One factor for each rotated pair. Empty for a scaling that is not the same at every length.
[[nodiscard]] std::vector<float> rope_factors(const model::DecoderConfig& facts);

// Adds the tensor to the plan. Call before the plan is laid out, and place_rope_factors() after it.
void add_rope_factors(const std::vector<float>& factors, Plan& plan);
// No source has the tensor, so it becomes a literal piece of the target.
void place_rope_factors(const std::vector<float>& factors, Plan& plan);

}  // namespace ambry::convert
