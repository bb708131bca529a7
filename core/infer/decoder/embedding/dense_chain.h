// The dense layers that follow the pooling of a decoder's embedding, or the one that ranks.
#pragma once

#include <span>
#include <vector>

#include "infer/decoder/weights/decoder.h"

namespace ambry::infer {

// Applies all dense layers to a pooled vector of n_embd values. Does nothing when there are none.
// The part kEmbeddingPart must be ready (Decoder::is_ready()).
void apply_dense_layers(const Decoder& decoder, std::vector<float>& vector);

// What the `i`-th layer that ranks (DecoderConfig::n_layer_heads()) makes of a hidden state. The
// same part must be ready.
[[nodiscard]] float rank_by_layer_head(const Decoder& decoder, size_t i,
                                       std::span<const float> hidden);

}  // namespace ambry::infer
