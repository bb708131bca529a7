// A layer of DQ8 by core/formats/tinyruntime/README.md#dq8-arithmetic: patches quantized by groups,
// sums of groups added in floats.
#pragma once

#include <algorithm>
#include <cmath>

#include "infer/cnn/reference_values.h"

namespace ambry::infer::testing {

struct ReferenceCodes {
  std::vector<int8_t> codes;
  std::vector<float> scales;
  std::vector<int32_t> zeros;
};

inline ReferenceCodes quantize(const std::vector<float>& rows, size_t group, bool asymmetric) {
  ReferenceCodes out;
  out.codes.reserve(rows.size());
  out.scales.reserve(rows.size() / group);
  out.zeros.reserve(rows.size() / group);
  for (size_t at = 0; at < rows.size(); at += group) {
    float low = rows[at];
    float high = rows[at];
    for (size_t j = 0; j < group; ++j) {
      low = std::min(low, rows[at + j]);
      high = std::max(high, rows[at + j]);
    }
    float scale = std::max(std::fabs(low), std::fabs(high)) / 127.0F;
    int32_t zero = 0;
    if (asymmetric) {
      scale = (high - low) / 255.0F;
      if (scale == 0) scale = 1e-4F;
      zero = whole(std::round(-128.0F - low / scale));
    }
    for (size_t j = 0; j < group; ++j) {
      const int32_t code = wrapped_sum(whole(std::round(rows[at + j] / scale)), zero);
      out.codes.push_back(static_cast<int8_t>(static_cast<uint32_t>(code) & 0xFFU));
    }
    out.scales.push_back(scale);
    out.zeros.push_back(zero);
  }
  return out;
}

inline ReferenceValue reference_dq8_layer(const ReferenceLayer& layer,
                                          const std::vector<float>& rows, const model::CnnShape& to,
                                          bool asymmetric) {
  const auto n = static_cast<size_t>(layer.entry.row());
  const auto group = static_cast<size_t>(layer.entry.weight_group);
  const size_t n_groups = n / group;
  const auto plane = static_cast<size_t>(to.plane());
  const ReferenceCodes codes = quantize(rows, group, asymmetric);
  ReferenceValue out{std::vector<float>(static_cast<size_t>(to.count())), {}, {}};
  for (size_t o = 0; o < to.channels; ++o) {
    float bias = 0;
    if (layer.entry.bias_group > 0) {
      const size_t g = o / static_cast<size_t>(layer.entry.bias_group);
      const int32_t zero = layer.bias_zeros.empty() ? 0 : layer.bias_zeros[g];
      bias =
          static_cast<float>(wrapped_difference(layer.bias_codes[o], zero)) * layer.bias_scales[g];
    }
    for (size_t p = 0; p < plane; ++p) {
      float acc = 0;
      for (size_t g = 0; g < n_groups; ++g) {
        const int32_t zero = layer.zeros.empty() ? 0 : layer.zeros[o * n_groups + g];
        int32_t isum = 0;
        for (size_t j = g * group; j < (g + 1) * group; ++j) {
          isum = wrapped_sum(
              isum, wrapped_product(
                        wrapped_difference(codes.codes[p * n + j], codes.zeros[p * n_groups + g]),
                        wrapped_difference(layer.codes[o * n + j], zero)));
        }
        acc += static_cast<float>(isum) * codes.scales[p * n_groups + g] *
               layer.scales[o * n_groups + g];
      }
      out.floats[o * plane + p] = acc + bias;
    }
  }
  return out;
}

}  // namespace ambry::infer::testing
