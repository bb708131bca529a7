// A layer of floats by core/formats/tinyruntime/README.md#vanilla-arithmetic: products and sums one
// after another.
#pragma once

#include "infer/cnn/reference_values.h"

namespace ambry::infer::testing {

inline ReferenceValue reference_f32_layer(const ReferenceLayer& layer,
                                          const std::vector<float>& rows,
                                          const model::CnnShape& to) {
  const auto n = static_cast<size_t>(layer.entry.row());
  const auto plane = static_cast<size_t>(to.plane());
  ReferenceValue out{std::vector<float>(static_cast<size_t>(to.count())), {}, {}};
  for (size_t o = 0; o < to.channels; ++o) {
    for (size_t p = 0; p < plane; ++p) {
      float acc = 0;
      for (size_t j = 0; j < n; ++j) acc += layer.weight[o * n + j] * rows[p * n + j];
      out.floats[o * plane + p] = acc + (layer.bias.empty() ? 0 : layer.bias[o]);
    }
  }
  return out;
}

}  // namespace ambry::infer::testing
