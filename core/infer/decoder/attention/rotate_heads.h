// Rotates the heads of a query or key by their position.
#pragma once

#include <cstddef>

#include "kernels/attention/rope.h"
#include "model/decoder/decoder_config.h"

namespace ambry::infer {

// Heads of a layer, one after another.
struct RotatedHeads {
  float* first;
  size_t n_heads;
  size_t head_dim;
};

// `cosines` and `sines` have one number for each rotated pair.
template <class V>
void rotate_heads(model::RopeStyle style, const RotatedHeads& heads, size_t n_pairs,
                  const float* cosines, const float* sines) {
  for (size_t h = 0; h < heads.n_heads; ++h) {
    float* head = heads.first + h * heads.head_dim;
    if (style == model::RopeStyle::Half) {
      kernels::rotate_halves<V>(head, cosines, sines, n_pairs);
    } else {
      kernels::rotate_interleaved(head, cosines, sines, n_pairs);
    }
  }
}

}  // namespace ambry::infer
