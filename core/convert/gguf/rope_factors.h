// The factors of the rotary angles that GGUF stores as tensors: llama.cpp divides the frequency of
// each rotated pair by its factor.
#pragma once

#include <string_view>
#include <vector>

#include "convert/plan/plan.h"
#include "model/decoder/decoder_config.h"

namespace ambry::convert {

// A tensor with one factor for each rotated pair.
struct RopeFactors {
  std::string_view tensor;
  std::vector<float> factors;
};

// One tensor for a scaling that is the same at every length, two for LongRope, else none.
[[nodiscard]] std::vector<RopeFactors> rope_factors(const model::DecoderConfig& facts);

// Adds the tensors to the plan. Call before the plan is laid out, and place_rope_factors() after
// it.
void add_rope_factors(const std::vector<RopeFactors>& tensors, Plan& plan);
// No source has the tensors, so they become literal pieces of the target.
void place_rope_factors(const std::vector<RopeFactors>& tensors, Plan& plan);

}  // namespace ambry::convert
