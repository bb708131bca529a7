// Runs the head of a sparse encoder for one text, in f32 (model/encoder/token_head.h). The numbers
// that the tokens have for all words are never held at once: the vocabulary is read in parts.
#pragma once

#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/weights/encoder_weights.h"

namespace ambry::infer {

// The weight of each word of the vocabulary, or with SparseSettings::own_words that of each token.
// None is negative; a number that is not finite comes of damaged weights. `hidden` holds the hidden
// states of the tokens. LimitExceeded when the heap is full.
[[nodiscard]] Result<AlignedBuffer> run_sparse_head(const EncoderWeights& weights,
                                                    std::span<const float> hidden);

}  // namespace ambry::infer
