// Rotary position embedding (RoPE) of one head in place: pair i is rotated by the angle with the
// given cosine and sine, (x, y) → (x cos - y sin, y cos + x sin). Values after the pairs stay as
// they are (partial rotation).
#pragma once

#include <cstddef>

namespace ambry::kernels {

// Pair i is elements i and n_pairs + i, Hugging Face's order.
template <class V>
void rotate_halves(float* head, const float* cosines, const float* sines, size_t n_pairs) {
  float* second = head + n_pairs;
  size_t i = 0;
  for (; i + V::kLanes <= n_pairs; i += V::kLanes) {
    const auto x = V::load(head + i);
    const auto y = V::load(second + i);
    const auto c = V::load(cosines + i);
    const auto s = V::load(sines + i);
    V::store(head + i, V::sub(V::mul(x, c), V::mul(y, s)));
    V::store(second + i, V::add(V::mul(y, c), V::mul(x, s)));
  }
  for (; i < n_pairs; ++i) {
    const float x = head[i];
    head[i] = x * cosines[i] - second[i] * sines[i];
    second[i] = second[i] * cosines[i] + x * sines[i];
  }
}

// Pair i is elements 2i and 2i + 1, Meta's order.
inline void rotate_interleaved(float* head, const float* cosines, const float* sines,
                               size_t n_pairs) {
  for (size_t i = 0; i < n_pairs; ++i) {
    const float x = head[2 * i];
    const float y = head[2 * i + 1];
    head[2 * i] = x * cosines[i] - y * sines[i];
    head[2 * i + 1] = y * cosines[i] + x * sines[i];
  }
}

}  // namespace ambry::kernels
