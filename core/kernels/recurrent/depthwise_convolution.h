// A causal convolution of every channel by itself, as layers with a short memory have before or in
// place of attention: y[c] = bias[c] + Σ_t weight[t][c] · x_{now - taps + 1 + t}[c].
//
// One call takes one token. So results do not depend on how a text is cut into blocks, and threads
// may share the channels.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>

#include "simd/scalar.h"

namespace ambry::kernels {

struct DepthwiseConvolution {
  size_t channels = 0;
  std::span<const float> weight;  // [taps][channels], the oldest token first (see by_tap())
  std::span<const float> bias;    // empty: none

  [[nodiscard]] size_t taps() const { return weight.size() / channels; }
  // Floats of the inputs that a sequence keeps: [taps - 1][channels], the oldest token first; zeros
  // before the first token.
  [[nodiscard]] size_t window_floats() const { return weight.size() - channels; }
};

// Puts weights [channels][taps], as files store them, in the order [taps][channels].
inline void by_tap(std::span<const float> stored, size_t channels, float* weight) {
  const size_t taps = stored.size() / channels;
  for (size_t c = 0; c < channels; ++c) {
    for (size_t t = 0; t < taps; ++t) weight[t * channels + c] = stored[c * taps + t];
  }
}

// Channels [c, c + V::kLanes) of convolve_row().
template <class V>
void convolve_lanes(const DepthwiseConvolution& by, float* window, const float* row, size_t c,
                    float* to) {
  const size_t taps = by.taps();
  auto sum = by.bias.empty() ? V::zero() : V::load(&by.bias[c]);
  for (size_t t = 0; t + 1 < taps; ++t) {
    const auto x = V::load(window + t * by.channels + c);
    sum = V::madd(x, V::load(&by.weight[t * by.channels + c]), sum);
    if (t > 0) V::store(window + (t - 1) * by.channels + c, x);
  }
  const auto x = V::load(row + c);
  sum = V::madd(x, V::load(&by.weight[(taps - 1) * by.channels + c]), sum);
  if (taps > 1) V::store(window + (taps - 2) * by.channels + c, x);
  V::store(to + c, sum);
}

// Channels [first, end) of the output for one token, whose input is `row`. Moves `window`
// (window_floats()) on by this token. `to` may be the row itself.
template <class V>
void convolve_row(const DepthwiseConvolution& by, float* window, const float* row, size_t first,
                  size_t end, float* to) {
  assert(end <= by.channels && (by.bias.empty() || by.bias.size() == by.channels));
  size_t c = first;
  for (; c + V::kLanes <= end; c += V::kLanes) convolve_lanes<V>(by, window, row, c, to);
  for (; c < end; ++c) convolve_lanes<simd::Scalar>(by, window, row, c, to);
}

}  // namespace ambry::kernels
