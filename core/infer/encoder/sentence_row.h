// The vector of a text from the hidden states of its tokens.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "infer/encoder/encoder.h"
#include "infer/encoder/head/pooling.h"

namespace ambry::infer {

// Pools the hidden states without the first `n_prompt` rows (pool()), applies the dense layers, and
// writes the first out.size() numbers to `out`. `row` is working memory. Not for Pooling::None.
void sentence_row(const Encoder& encoder, Pooling pooling, std::span<const float> hidden,
                  size_t n_prompt, std::vector<float>& row, std::span<float> out);

}  // namespace ambry::infer
