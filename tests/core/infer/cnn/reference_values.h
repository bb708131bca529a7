// What the scalar implementations of core/formats/tinyruntime/README.md#arithmetic share: values,
// layers, patches, integers that wrap.
#pragma once

#include <cstdint>
#include <vector>

#include "model/cnn/cnn_graph.h"
#include "model/cnn/cnn_table.h"

namespace ambry::infer::testing {

struct ReferenceValue {
  std::vector<float> floats;
  std::vector<uint8_t> codes;  // instead, in SQ8
  model::CnnActivation form;
};
struct ReferenceLayer {
  model::CnnLayer entry;
  std::vector<float> weight, bias, mean, variance;
  std::vector<int8_t> codes, bias_codes;
  std::vector<int32_t> bias_words;
  std::vector<float> scales, bias_scales;
  std::vector<int32_t> zeros, bias_zeros;
};

// int(v) as x86 converts it, and integers that wrap.
inline int32_t whole(float v) {
  return v >= -2147483648.0F && v < 2147483648.0F ? static_cast<int32_t>(v) : INT32_MIN;
}
inline int32_t wrapped_sum(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
inline int32_t wrapped_difference(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}
inline int32_t wrapped_product(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}

inline std::vector<float> floats(const ReferenceValue& value) {
  if (value.codes.empty()) return value.floats;
  std::vector<float> values;
  for (const uint8_t code : value.codes) {
    values.push_back(static_cast<float>(code - value.form.zero_point) * value.form.scale);
  }
  return values;
}

// Rows of patches. Values outside the map are `outside`.
template <class T>
std::vector<T> patches(const std::vector<T>& in, const model::CnnShape& from,
                       const model::CnnShape& to, const model::CnnLayer& layer, T outside) {
  std::vector<T> rows;
  rows.reserve(static_cast<size_t>(to.plane() * layer.row()));
  for (int64_t y = 0; y < to.height; ++y) {
    for (int64_t x = 0; x < to.width; ++x) {
      for (uint32_t c = 0; c < from.channels; ++c) {
        for (int32_t ky = 0; ky < layer.kernel; ++ky) {
          for (int32_t kx = 0; kx < layer.kernel; ++kx) {
            const int64_t row = y * layer.stride + ky - layer.padding;
            const int64_t column = x * layer.stride + kx - layer.padding;
            const bool inside = row >= 0 && row < from.height && column >= 0 && column < from.width;
            const auto at =
                static_cast<size_t>((c * int64_t{from.height} + row) * from.width + column);
            rows.push_back(inside ? in[at] : outside);
          }
        }
      }
    }
  }
  return rows;
}

}  // namespace ambry::infer::testing
