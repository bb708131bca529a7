// A layer of SQ8 by core/formats/tinyruntime/README.md#sq8-arithmetic, and its quantization of
// floats to bytes.
#pragma once

#include <algorithm>
#include <cmath>

#include "infer/cnn/reference_values.h"

namespace ambry::infer::testing {

inline uint8_t byte_of(float steps, int32_t zero) {
  const auto code = static_cast<int16_t>(whole(std::round(steps)));
  return static_cast<uint8_t>(std::clamp<int32_t>(static_cast<int16_t>(code + zero), 0, 255));
}

inline ReferenceValue reference_sq8_layer(const ReferenceLayer& layer, const ReferenceValue& in,
                                          const std::vector<uint8_t>& rows,
                                          const model::CnnShape& to) {
  const auto n = static_cast<size_t>(layer.entry.row());
  const auto plane = static_cast<size_t>(to.plane());
  ReferenceValue out{{}, std::vector<uint8_t>(static_cast<size_t>(to.count())), {}};
  out.form = {layer.entry.out_scale, layer.entry.out_zero_point};
  const float c = layer.entry.weight_scale * in.form.scale / layer.entry.out_scale;
  for (size_t o = 0; o < to.channels; ++o) {
    for (size_t p = 0; p < plane; ++p) {
      int32_t isum = 0;
      for (size_t j = 0; j < n; ++j) {
        isum += (rows[p * n + j] - in.form.zero_point) *
                (layer.codes[o * n + j] - layer.entry.weight_zero_point);
      }
      if (!layer.bias_words.empty()) isum = wrapped_sum(isum, layer.bias_words[o]);
      out.codes[o * plane + p] = byte_of(c * static_cast<float>(isum), out.form.zero_point);
    }
  }
  return out;
}

}  // namespace ambry::infer::testing
