// Runs the classification head of an encoder, in f32: dense layer, norm and classifier over a
// pooled vector (model/encoder/head/head_config.h).
#pragma once

#include <span>
#include <vector>

#include "infer/encoder/weights/encoder_weights.h"

namespace ambry::infer {

// The logits of a sequence, one for each label. `hidden` holds the hidden states of its tokens, of
// `hidden_size` numbers each.
[[nodiscard]] std::vector<float> classify(const Head& head, std::span<const float> hidden,
                                          size_t hidden_size, float layer_norm_eps);

}  // namespace ambry::infer
