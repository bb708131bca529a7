// cap * tanh(x / cap), which keeps scores and logits within ±cap (Gemma 2). The error is at most
// 2e-7 of the cap.
#pragma once

#include <span>

#include "kernels/activation/apply_activation.h"
#include "kernels/activation/exp.h"

namespace ambry::kernels {

// tanh u = 1 - 2 / (e^2u + 1)
template <class V>
[[nodiscard]] typename V::F32 soft_capped(typename V::F32 x, float cap) {
  const auto e = exp<V>(V::mul(x, V::splat(2.0F / cap)));
  const auto rest = V::div(V::splat(2.0F), V::add(e, V::splat(1.0F)));
  return V::mul(V::splat(cap), V::sub(V::splat(1.0F), rest));
}

// Caps a row in place.
template <class V>
void soft_cap(std::span<float> row, float cap) {
  map_row<V>(row, [cap](typename V::F32 x) { return soft_capped<V>(x, cap); });
}

}  // namespace ambry::kernels
