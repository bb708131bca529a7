// Rotates the heads of a query or key by their position.
#pragma once

#include <cstddef>

#include "kernels/attention/rope.h"
#include "model/decoder/decoder_config.h"

namespace ambry::infer {

// `heads` has n_heads * config.head_dim values; cosines and sines one for each rotated pair.
template <class V>
void rotate_heads(const model::DecoderConfig& config, float* heads, size_t n_heads,
                  const float* cosines, const float* sines) {
  const size_t n_pairs = config.n_rotated / 2;
  for (size_t h = 0; h < n_heads; ++h) {
    float* head = heads + h * config.head_dim;
    if (config.rope_style == model::RopeStyle::Half) {
      kernels::rotate_halves<V>(head, cosines, sines, n_pairs);
    } else {
      kernels::rotate_interleaved(head, cosines, sines, n_pairs);
    }
  }
}

}  // namespace ambry::infer
