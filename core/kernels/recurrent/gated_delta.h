// The gated delta rule of one head (Yang, Kautz and Hatamizadeh, "Gated Delta Networks: Improving
// Mamba2 with Delta Rule", 2024). The state S is a matrix [key][value] that maps keys to values. A
// token fades it, corrects what it has for the token's key, and reads it by the query:
//
//   S := decay · S;   S := S + k (beta (v - kᵀ S))ᵀ;   y = qᵀ S
//
// One call takes one token, and sums run over the keys in their order. So results depend neither on
// how a text is cut into blocks nor on the number of lanes.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "simd/scalar.h"

namespace ambry::kernels {

// What one token brings to one head.
struct GatedDeltaToken {
  std::span<const float> query;  // as long as the key
  std::span<const float> key;
  const float* value;
  float decay;
  float beta;
};

// Columns [c, c + N · V::kLanes) of gated_delta_step(). N sums run beside each other, since each
// waits for its last addition.
template <class V, size_t N>
void gated_delta_columns(const GatedDeltaToken& token, size_t width, size_t c, float* state,
                         float* out) {
  using F32 = typename V::F32;
  const F32 decay = V::splat(token.decay);
  const F32 beta = V::splat(token.beta);
  F32 sums[N];
  for (F32& sum : sums) sum = V::zero();
  for (size_t i = 0; i < token.key.size(); ++i) {
    const F32 key = V::splat(token.key[i]);
    for (size_t n = 0; n < N; ++n) {
      const F32 faded = V::mul(V::load(state + i * width + c + n * V::kLanes), decay);
      sums[n] = V::madd(faded, key, sums[n]);
    }
  }
  F32 corrections[N];
  for (size_t n = 0; n < N; ++n) {
    corrections[n] = V::mul(V::sub(V::load(token.value + c + n * V::kLanes), sums[n]), beta);
    sums[n] = V::zero();
  }
  for (size_t i = 0; i < token.key.size(); ++i) {
    const F32 key = V::splat(token.key[i]);
    const F32 query = V::splat(token.query[i]);
    for (size_t n = 0; n < N; ++n) {
      float* at = state + i * width + c + n * V::kLanes;
      const F32 next = V::madd(key, corrections[n], V::mul(V::load(at), decay));
      V::store(at, next);
      sums[n] = V::madd(next, query, sums[n]);
    }
  }
  for (size_t n = 0; n < N; ++n) V::store(out + c + n * V::kLanes, sums[n]);
}

// Moves the state [key.size()][width] of a head on by one token. `out` gets the `width` values that
// the query reads.
template <class V>
void gated_delta_step(const GatedDeltaToken& token, size_t width, float* state, float* out) {
  constexpr size_t kSums = 4;
  size_t c = 0;
  for (; c + kSums * V::kLanes <= width; c += kSums * V::kLanes) {
    gated_delta_columns<V, kSums>(token, width, c, state, out);
  }
  for (; c < width; ++c) gated_delta_columns<simd::Scalar, 1>(token, width, c, state, out);
}

// row · factor / √(|row|² + epsilon), in place.
template <class V>
void scale_to_length(std::span<float> row, float epsilon, float factor) {
  const size_t whole = row.size() / V::kLanes * V::kLanes;
  auto squares = V::zero();
  for (size_t i = 0; i < whole; i += V::kLanes) {
    const auto x = V::load(&row[i]);
    squares = V::madd(x, x, squares);
  }
  float sum = V::reduce_add(squares);
  for (size_t i = whole; i < row.size(); ++i) sum += row[i] * row[i];
  const float by = factor / std::sqrt(sum + epsilon);
  for (float& x : row) x *= by;
}

}  // namespace ambry::kernels
