// Applies a function of vectors to whole rows: an activation, the gate of a gated feed-forward
// layer, or the soft cap.
#pragma once

#include <cassert>
#include <span>

#include "kernels/activation/activation.h"

namespace ambry::kernels {

// row[i] = function(row[i])
template <class V, class Function>
void map_row(std::span<float> row, const Function& function) {
  const size_t whole = row.size() / V::kLanes * V::kLanes;
  for (size_t i = 0; i < whole; i += V::kLanes) V::store(&row[i], function(V::load(&row[i])));
  if (const size_t rest = row.size() - whole; rest > 0) {
    V::store_partial(&row[whole], rest, function(V::load_partial(&row[whole], rest)));
  }
}

// Applies an activation in place.
template <class V, class Activation>
void apply_activation(std::span<float> row) {
  map_row<V>(row, [](typename V::F32 x) { return Activation::template apply<V>(x); });
}

// to = activation(gate) * up. `to` may be either of them.
template <class V, class Activation>
void apply_gated_activation(std::span<const float> gate, std::span<const float> up, float* to) {
  assert(gate.size() == up.size());
  const size_t whole = gate.size() / V::kLanes * V::kLanes;
  for (size_t i = 0; i < whole; i += V::kLanes) {
    const auto open = Activation::template apply<V>(V::load(&gate[i]));
    V::store(to + i, V::mul(open, V::load(&up[i])));
  }
  if (const size_t rest = gate.size() - whole; rest > 0) {
    const auto open = Activation::template apply<V>(V::load_partial(&gate[whole], rest));
    V::store_partial(to + whole, rest, V::mul(open, V::load_partial(&up[whole], rest)));
  }
}

}  // namespace ambry::kernels
