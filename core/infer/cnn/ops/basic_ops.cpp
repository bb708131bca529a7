#include "infer/cnn/ops/basic_ops.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace ambry::infer {
namespace {

using model::CnnNode;
using model::CnnShape;

constexpr float kEpsilon = 1e-5F;

// The part inside 0 … extent of a window that starts at `at`, counted with the padding.
struct Range {
  size_t begin;
  size_t end;

  Range(size_t at, size_t kernel, size_t padding, size_t extent)
      : begin(at > padding ? at - padding : 0),
        end(std::clamp(at + kernel, padding, extent + padding) - padding) {}
};

// Sums row by row.
float window_sum(const float* plane, size_t width, const Range& rows, const Range& columns) {
  float sum = 0;
  for (size_t y = rows.begin; y < rows.end; ++y) {
    for (size_t x = columns.begin; x < columns.end; ++x) sum += plane[y * width + x];
  }
  return sum;
}

// First the maxima over the rows of a window, then over its columns.
template <class T>
void max_pool_of(const CnnNode& node, const CnnShape& in, const CnnShape& out, const T* from,
                 T* to) {
  std::vector<T> line(in.width);
  for (uint32_t c = 0; c < in.channels; ++c, from += in.plane()) {
    for (size_t y = 0; y < out.height; ++y) {
      const Range rows(y * node.stride, node.kernel, node.padding, in.height);
      std::ranges::fill(line, T{0});
      for (size_t row = rows.begin; row < rows.end; ++row) {
        const T* values = from + row * in.width;
        for (size_t x = 0; x < in.width; ++x) line[x] = std::max(line[x], values[x]);
      }
      for (size_t x = 0; x < out.width; ++x) {
        const Range columns(x * node.stride, node.kernel, node.padding, in.width);
        T largest = 0;
        for (size_t i = columns.begin; i < columns.end; ++i) largest = std::max(largest, line[i]);
        *to++ = largest;
      }
    }
  }
}

}  // namespace

void relu(FeatureMap& map) {
  if (map.is_quantized()) {
    const auto zero = static_cast<uint8_t>(map.quantization().zero_point);
    for (uint8_t& code : map.bytes()) code = std::max(code, zero);
    return;
  }
  for (float& value : map.floats()) value = value > 0 ? value : 0;
}

Result<FeatureMap> max_pool(const CnnNode& node, const FeatureMap& in, const CnnShape& out) {
  if (in.is_quantized()) {
    AMBRY_TRY(FeatureMap map, FeatureMap::quantized(out, in.quantization()));
    max_pool_of(node, in.shape(), out, in.bytes().data(), map.bytes().data());
    return map;
  }
  AMBRY_TRY(FeatureMap map, FeatureMap::f32(out));
  max_pool_of(node, in.shape(), out, in.floats().data(), map.floats().data());
  return map;
}

Result<FeatureMap> average_pool(const CnnNode& node, const FeatureMap& in, const CnnShape& out) {
  assert(!in.is_quantized());
  AMBRY_TRY(FeatureMap map, FeatureMap::f32(out));
  const auto count = static_cast<float>(uint64_t{node.kernel} * node.kernel);
  const float* plane = in.floats().data();
  float* to = map.floats().data();
  for (uint32_t c = 0; c < out.channels; ++c, plane += in.shape().plane()) {
    for (size_t y = 0; y < out.height; ++y) {
      const Range rows(y * node.stride, node.kernel, node.padding, in.shape().height);
      for (size_t x = 0; x < out.width; ++x) {
        const Range columns(x * node.stride, node.kernel, node.padding, in.shape().width);
        *to++ = window_sum(plane, in.shape().width, rows, columns) / count;
      }
    }
  }
  return map;
}

Result<FeatureMap> concat_pool(const FeatureMap& in, const CnnShape& out) {
  assert(!in.is_quantized());
  AMBRY_TRY(FeatureMap map, FeatureMap::f32(out));
  const size_t channels = in.shape().channels;
  const auto plane = static_cast<size_t>(in.shape().plane());
  const std::span<float> to = map.floats();
  for (size_t c = 0; c < channels; ++c) {
    float largest = 0;
    float sum = 0;
    for (const float value : in.floats().subspan(c * plane, plane)) {
      largest = std::max(largest, value);
      sum += value;
    }
    to[c] = largest;
    to[channels + c] = sum / static_cast<float>(plane);
  }
  return map;
}

Result<FeatureMap> pad_channels(const CnnNode& node, const FeatureMap& in, const CnnShape& out) {
  const auto skipped = static_cast<size_t>(node.before * in.shape().plane());
  if (in.is_quantized()) {
    AMBRY_TRY(FeatureMap map, FeatureMap::quantized(out, in.quantization()));
    std::ranges::fill(map.bytes(), static_cast<uint8_t>(in.quantization().zero_point));
    std::ranges::copy(in.bytes(), map.bytes().subspan(skipped).begin());
    return map;
  }
  AMBRY_TRY(FeatureMap map, FeatureMap::f32(out));
  std::ranges::fill(map.floats(), 0.0F);
  std::ranges::copy(in.floats(), map.floats().subspan(skipped).begin());
  return map;
}

void add_to(FeatureMap& map, const FeatureMap& other) {
  assert(!map.is_quantized() && !other.is_quantized());
  const std::span<float> to = map.floats();
  const std::span<const float> from = other.floats();
  for (size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

void batch_norm(const CnnParameters& norm, FeatureMap& map) {
  assert(!map.is_quantized());
  const auto plane = static_cast<size_t>(map.shape().plane());
  for (size_t c = 0; c < norm.mean.size(); ++c) {
    const double deviation = std::sqrt(static_cast<double>(norm.variance[c] + kEpsilon));
    const auto weight = static_cast<double>(norm.scales[c]);
    const auto bias = static_cast<double>(norm.bias[c]);
    for (float& value : map.floats().subspan(c * plane, plane)) {
      const auto shifted = static_cast<double>(value - norm.mean[c]);
      value = static_cast<float>(shifted / deviation * weight + bias);
    }
  }
}

}  // namespace ambry::infer
