// How fast the pairs of a head turn with the position, with the scalings of RopeScaling as in
// Hugging Face's modeling_rope_utils.py.
#pragma once

#include <cstdint>
#include <vector>

#include "model/decoder/decoder_config.h"

namespace ambry::model {

// The rotation of each pair per position, and a factor for the rotated values.
struct RopeFrequencies {
  std::vector<double> inv_freq;  // radians per position, one for each rotated pair
  double attention_scaling = 1;
};

// For a sequence of `length` tokens. Only Dynamic and LongRope depend on it.
[[nodiscard]] RopeFrequencies rope_frequencies(const DecoderConfig& config, uint64_t length);

// The frequencies of local layers that have a base of their own. Nothing scales these.
[[nodiscard]] RopeFrequencies local_rope_frequencies(const DecoderConfig& config);

}  // namespace ambry::model
