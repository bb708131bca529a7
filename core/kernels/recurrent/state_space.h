// The recurrence of Mamba-2's state spaces. A head keeps a matrix S [head_dim, n_state]. A token
// brings x [head_dim], a time step Δ, and B and C [n_state] of the head's group:
//
//   S = e^(Δ a) S + Δ x Bᵀ        y = S C + d x
//
// (Dao and Gu, "Transformers are SSMs", 2024.) One call takes one token, so results do not depend
// on how a text is cut into blocks, and threads may share the heads.
#pragma once

#include <cstddef>

#include "simd/isa.h"

namespace ambry::kernels {

struct StateSpaceShape {
  size_t heads = 0;
  size_t head_dim = 0;
  size_t n_state = 0;
  size_t groups = 1;  // divides `heads`; adjacent heads have B and C in common

  [[nodiscard]] size_t width() const { return heads * head_dim; }
  [[nodiscard]] size_t state_floats() const { return width() * n_state; }
  [[nodiscard]] size_t group_of(size_t head) const { return head / (heads / groups); }
};

// What a token brings to one head.
struct StateSpaceToken {
  const float* x;  // [head_dim]
  const float* b;  // [n_state]
  const float* c;  // [n_state]
  float step;      // Δ
  float decay;     // e^(Δ a)
  float skip;      // d
};

// Moves some rows of a head's state on. B and C are read once for all of them.
template <class V, size_t kRows>
void advance_state_rows(const StateSpaceToken& token, size_t n, const float* x, float* rows,
                        float* y) {
  const size_t whole = n / V::kLanes * V::kLanes;
  const auto decay = V::splat(token.decay);
  typename V::F32 inputs[kRows];
  typename V::F32 sums[kRows];
  for (size_t r = 0; r < kRows; ++r) {
    inputs[r] = V::splat(x[r] * token.step);
    sums[r] = V::zero();
  }
  for (size_t j = 0; j < whole; j += V::kLanes) {
    const auto b = V::load(token.b + j);
    const auto c = V::load(token.c + j);
    for (size_t r = 0; r < kRows; ++r) {
      float* const at = rows + r * n + j;
      const auto now = V::madd(inputs[r], b, V::mul(V::load(at), decay));
      V::store(at, now);
      sums[r] = V::madd(now, c, sums[r]);
    }
  }
  for (size_t r = 0; r < kRows; ++r) {
    float sum = V::reduce_add(sums[r]);
    for (size_t j = whole; j < n; ++j) {
      float& at = rows[r * n + j];
      at = at * token.decay + x[r] * token.step * token.b[j];
      sum += at * token.c[j];
    }
    y[r] = sum + token.skip * x[r];
  }
}

// Moves the state of one head [head_dim, n_state] on by a token, and writes y [head_dim].
template <class V>
[[gnu::noinline]] void advance_state_space(const StateSpaceShape& shape,
                                           const StateSpaceToken& token, float* state, float* y) {
  constexpr size_t kRows = 4;
  const size_t n = shape.n_state;
  size_t i = 0;
  for (; i + kRows <= shape.head_dim; i += kRows) {
    advance_state_rows<V, kRows>(token, n, token.x + i, state + i * n, y + i);
  }
  for (; i < shape.head_dim; ++i) {
    advance_state_rows<V, 1>(token, n, token.x + i, state + i * n, y + i);
  }
}

// Compiled for speed in kernels/instantiations.cpp.
extern template void advance_state_space<simd::Best>(const StateSpaceShape&, const StateSpaceToken&,
                                                     float*, float*);

}  // namespace ambry::kernels
