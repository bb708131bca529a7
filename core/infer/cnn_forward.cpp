#include "infer/cnn_forward.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace ambry::infer {
namespace {

using model::CnnBlock;
using model::CnnLayer;

constexpr float kEpsilon = 1e-5F;

// Numbers of SQ8's activations (tinyruntime.md §2): the image, the stem, its pool; then of each
// block one a conv and one for the sum; behind the last sum these.
constexpr size_t kImage = 0;
constexpr size_t kStem = 1;
constexpr size_t kStemPool = 2;
enum Tail : size_t {
  kMaxPool = 1,
  kMeanPool,
  kConcat,
  kView,
  kFirstNorm,
  kFirstIn,
  kFirstOut,
  kSecondNorm,
  kSecondIn,
  kSecondOut,
  kTailEnd,
};

size_t activations_of(const CnnBlock& block) {
  return block.n_convs + (block.shortcut ? 1 : 0) + 1;
}

void rectify(std::span<float> values) {
  for (float& value : values) value = value > 0 ? value : 0;
}

float largest_magnitude(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

int32_t out_side(int32_t side, int32_t kernel, int32_t stride, int32_t padding) {
  const int64_t room = int64_t{side} + 2 * int64_t{padding} - kernel;
  return room < 0 ? 0 : static_cast<int32_t>(room / stride) + 1;
}

// One weight of a conv onto all pixels of a plane; what it would take from the padding is 0.
void add_product(const float* in, int32_t in_side, float weight, int32_t row, int32_t col,
                 int32_t stride, float* out, int32_t side) {
  for (int32_t y = 0; y < side; ++y) {
    const int32_t in_y = y * stride + row;
    if (in_y < 0 || in_y >= in_side) continue;
    const float* from = in + static_cast<size_t>(in_y) * static_cast<size_t>(in_side);
    float* to = out + static_cast<size_t>(y) * static_cast<size_t>(side);
    for (int32_t x = 0; x < side; ++x) {
      const int32_t in_x = x * stride + col;
      if (in_x >= 0 && in_x < in_side) to[x] += weight * from[in_x];
    }
  }
}

// 3×3 with stride 2 and padding 1, from 0 on, for numbers that are not negative.
void pool_stem(int32_t channels, int32_t in_side, int32_t side, const float* from, float* to) {
  const ptrdiff_t plane = ptrdiff_t{in_side} * in_side;
  for (int32_t c = 0; c < channels; ++c, from += plane) {
    for (int32_t y = 0; y < side; ++y) {
      for (int32_t x = 0; x < side; ++x) {
        float largest = 0;
        for (int32_t v = std::max(0, 2 * y - 1); v <= std::min(in_side - 1, 2 * y + 1); ++v) {
          for (int32_t u = std::max(0, 2 * x - 1); u <= std::min(in_side - 1, 2 * x + 1); ++u) {
            largest = std::max(largest, from[v * in_side + u]);
          }
        }
        *to++ = largest;
      }
    }
  }
}

}  // namespace

Result<CnnForward> CnnForward::create(CnnWeights weights) {
  AMBRY_TRY(auto blocks, model::cnn_blocks(weights.table));
  return CnnForward(std::move(weights), std::move(blocks));
}

CnnForward::CnnForward(CnnWeights weights, std::vector<CnnBlock> blocks)
    : weights_(std::move(weights)), blocks_(std::move(blocks)) {
  for (const CnnLayerWeights& conv : weights_.convs) {
    ranges_.conv_weights.push_back(largest_magnitude(conv.weight));
  }
  for (const CnnLayerWeights& linear : weights_.linears) {
    ranges_.linear_weights.push_back(largest_magnitude(linear.weight));
  }
  state_flows();
}

void CnnForward::state_flows() {
  ranges_.conv_flows.push_back({kImage, kStem});
  size_t last = kStemPool;
  for (const CnnBlock& block : blocks_) {
    for (size_t i = 0; i < block.n_convs; ++i) {
      ranges_.conv_flows.push_back({i == 0 ? last : last + i, last + i + 1});
    }
    if (block.shortcut) ranges_.conv_flows.push_back({last, last + block.n_convs + 1});
    last += activations_of(block);
  }
  ranges_.linear_flows = {{last + kFirstIn, last + kFirstOut},
                          {last + kSecondIn, last + kSecondOut}};
  ranges_.activations.resize(last + kTailEnd);
}

void CnnForward::observe(size_t activation, std::span<const float> values) {
  model::ObservedRange& range = ranges_.activations[activation];
  for (const float value : values) {
    // A NaN stays in sight.
    if (value < range.low || std::isnan(value)) range.low = value;
    if (value > range.high || std::isnan(value)) range.high = value;
  }
}

Result<std::vector<float>> CnnForward::run(std::span<const float> image) {
  const int32_t channels = weights_.table.convs[0].in;
  const auto pixels = static_cast<double>(image.size()) / channels;
  const auto side = static_cast<int32_t>(std::sqrt(pixels));
  if (static_cast<double>(side) * side != pixels || side == 0) {
    return make_error(ErrorCode::BadValue, "image",
                      {uint64_t{image.size()}, " numbers are no square of ",
                       static_cast<uint32_t>(channels), " channels"});
  }
  Map map{channels, side, {image.begin(), image.end()}};
  observe(kImage, map.values);
  AMBRY_TRY(map, conv(0, map));
  rectify(map.values);
  observe(kStem, map.values);
  Map pooled{map.channels, out_side(map.side, 3, 2, 1), {}};
  pooled.values.resize(static_cast<size_t>(pooled.channels) *
                       static_cast<size_t>(pooled.side * pooled.side));
  pool_stem(map.channels, map.side, pooled.side, map.values.data(), pooled.values.data());
  observe(kStemPool, pooled.values);
  size_t activation = kStemPool;
  for (const CnnBlock& one : blocks_) {
    AMBRY_TRY(pooled, block(one, pooled, activation));
    activation += activations_of(one);
  }
  return head(pooled, activation);
}

Result<CnnForward::Map> CnnForward::block(const CnnBlock& block, const Map& in, size_t activation) {
  AMBRY_TRY(Map out, conv(block.first, in));
  for (size_t i = 1; i < block.n_convs; ++i) {
    rectify(out.values);
    observe(activation + i, out.values);
    AMBRY_TRY(out, conv(block.first + i, out));
  }
  activation += block.n_convs;
  observe(activation, out.values);
  Map turned;
  if (block.shortcut) {
    AMBRY_TRY(turned, conv(block.first + block.n_convs, in));
    observe(++activation, turned.values);
  }
  const Map& beside = block.shortcut ? turned : in;
  assert(beside.values.size() == out.values.size());
  for (size_t i = 0; i < out.values.size(); ++i) out.values[i] += beside.values[i];
  rectify(out.values);
  observe(activation + 1, out.values);
  return out;
}

Result<CnnForward::Map> CnnForward::conv(size_t index, const Map& in) const {
  const CnnLayer& layer = weights_.table.convs[index];
  const CnnLayerWeights& weights = weights_.convs[index];
  Map out{layer.out, out_side(in.side, layer.kernel, layer.stride, layer.padding), {}};
  if (out.side == 0) {
    return make_error(ErrorCode::BadValue, "image",
                      {"too small: conv ", uint64_t{index}, " has no place in it"});
  }
  const auto in_plane = static_cast<size_t>(in.side) * static_cast<size_t>(in.side);
  const auto plane = static_cast<size_t>(out.side) * static_cast<size_t>(out.side);
  out.values.resize(static_cast<size_t>(out.channels) * plane);
  const float* weight = weights.weight.data();
  for (size_t o = 0; o < static_cast<size_t>(layer.out); ++o) {
    float* to = &out.values[o * plane];
    // Channel by channel and then as they lie, each pixel gets its products in the reference's
    // order.
    for (size_t c = 0; c < static_cast<size_t>(layer.in); ++c) {
      for (int32_t row = 0; row < layer.kernel; ++row) {
        for (int32_t col = 0; col < layer.kernel; ++col) {
          add_product(&in.values[c * in_plane], in.side, *weight++, row - layer.padding,
                      col - layer.padding, layer.stride, to, out.side);
        }
      }
    }
    if (weights.bias.empty()) continue;
    for (size_t i = 0; i < plane; ++i) to[i] += weights.bias[o];
  }
  return out;
}

std::vector<float> CnnForward::linear(size_t index, std::span<const float> in) const {
  const CnnLayerWeights& weights = weights_.linears[index];
  std::vector<float> out(static_cast<size_t>(weights_.table.linears[index].out));
  for (size_t o = 0; o < out.size(); ++o) {
    const float* row = &weights.weight[o * in.size()];
    float sum = 0;
    for (size_t i = 0; i < in.size(); ++i) sum += row[i] * in[i];
    out[o] = weights.bias.empty() ? sum : sum + weights.bias[o];
  }
  return out;
}

// The quotient in double, as the reference has it.
void CnnForward::batch_norm(size_t index, std::span<float> values) const {
  const CnnLayerWeights& norm = weights_.batch_norms[index];
  for (size_t i = 0; i < values.size(); ++i) {
    const auto shifted = static_cast<double>(values[i] - norm.mean[i]);
    const double deviation = std::sqrt(static_cast<double>(norm.variance[i] + kEpsilon));
    values[i] = static_cast<float>(shifted / deviation * static_cast<double>(norm.weight[i]) +
                                   static_cast<double>(norm.bias[i]));
  }
}

Result<std::vector<float>> CnnForward::head(const Map& in, size_t activation) {
  const auto channels = static_cast<size_t>(in.channels);
  const size_t plane = in.values.size() / channels;
  std::vector<float> values(2 * channels);
  for (size_t c = 0; c < channels; ++c) {
    float largest = 0;
    float sum = 0;
    for (const float value : std::span(in.values).subspan(c * plane, plane)) {
      largest = std::max(largest, value);
      sum += value;
    }
    values[c] = largest;
    values[channels + c] = sum / static_cast<float>(plane);
  }
  // The pools share the observer of what they pool.
  for (const size_t pool : {kMaxPool, kMeanPool, kConcat, kView}) {
    observe(activation + pool, in.values);
  }
  const auto observe_pair = [&](size_t norm, size_t layer_in) {
    observe(activation + norm, values);
    observe(activation + layer_in, values);
  };
  batch_norm(0, values);
  observe_pair(kFirstNorm, kFirstIn);
  values = linear(0, values);
  rectify(values);
  observe(activation + kFirstOut, values);
  batch_norm(1, values);
  observe_pair(kSecondNorm, kSecondIn);
  values = linear(1, values);
  observe(activation + kSecondOut, values);
  return values;
}

}  // namespace ambry::infer
