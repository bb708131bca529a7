// Runs the head of an encoder that every token passes, in f32: dense layer, norm and classifier
// (model/encoder/token_head.h).
#pragma once

#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/weights/encoder_weights.h"

namespace ambry::infer {

// What goes into the classifier of the head: the hidden states of tokens, one after another, after
// the dense layer and the norm, where there are any.
[[nodiscard]] std::vector<float> classifier_inputs(const EncoderWeights& weights,
                                                   std::span<const float> hidden);

// The numbers that the head gives for tokens, one token after another. `hidden` holds the hidden
// states of the tokens. LimitExceeded when the heap is full.
[[nodiscard]] Result<AlignedBuffer> run_token_head(const EncoderWeights& weights,
                                                   std::span<const float> hidden);

}  // namespace ambry::infer
