// The outputs are divided into tiles of 2 x 2, in rows. For some rows of tiles at a time:
//
//   inputs  [16][panels of 8 tiles][channels][8]   transformed, as the GEMM wants its right side
//   weights [16][outputs][channels]                transformed, of some outputs at a time
//   sums    [16][outputs][tiles]                   = weights * inputs, 16 products of matrices
//
// The weights are transformed again for each of these blocks, as all of them would take 16/9 of the
// network's memory. It costs a few hundredths of the products.
#include "infer/cnn/ops/conv_winograd.h"

#include <algorithm>

#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/tiles/epilogue.h"
#include "kernels/winograd/transforms.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

using kernels::kPanelColumns;
using kernels::kWinogradOutputs;
using kernels::kWinogradSide;
using kernels::kWinogradValues;
using V = simd::Best;

constexpr size_t kWeights = kernels::kWinogradKernel * kernels::kWinogradKernel;
// Outputs whose weights are transformed at a time.
constexpr size_t kMostOutputs = 64;
// Transformed inputs of a block, in bytes, as far as a row of tiles is not larger.
constexpr size_t kBlockBytes = size_t{1} << 19;

// Floats between the 16 parts of a buffer. Without them, the parts of common layers would be powers
// of two apart, and so would share the same few lines of the cache.
constexpr size_t kApart = 16;

size_t divided_up(size_t n, size_t by) { return (n + by - 1) / by; }

struct Sizes {
  size_t channels;
  size_t outputs;
  size_t tile_rows;
  size_t row_tiles;  // whole vectors; those past the width give nothing

  explicit Sizes(const ConvCall& call)
      : channels(static_cast<size_t>(call.layer.in)),
        outputs(static_cast<size_t>(call.layer.out)),
        tile_rows(divided_up(call.out.height, kWinogradOutputs)),
        row_tiles(divided_up(divided_up(call.out.width, kWinogradOutputs), V::kLanes) * V::kLanes) {
  }

  [[nodiscard]] size_t tiles() const { return tile_rows * row_tiles; }
  // Floats from the weights of one output to those of the next: whole vectors.
  [[nodiscard]] size_t weight_row() const { return divided_up(channels, V::kLanes) * V::kLanes; }
  // Rows of tiles at a time.
  [[nodiscard]] size_t block_rows() const {
    const size_t row_bytes = kWinogradValues * channels * row_tiles * sizeof(float);
    return std::clamp<size_t>(kBlockBytes / row_bytes, 1, tile_rows);
  }
};

// The input with its padding. The even columns of a row lie before its odd ones, so that the same
// columns of neighboring tiles are contiguous.
class PaddedInput {
 public:
  [[nodiscard]] static Result<PaddedInput> create(const ConvCall& call, const Sizes& sizes) {
    const model::CnnShape& in = call.in.shape();
    PaddedInput padded(sizes);
    AMBRY_TRY(padded.values_,
              AlignedBuffer::allocate(uint64_t{padded.plane_} * sizes.channels * sizeof(float)));
    const std::span<float> to = padded.values_.as<float>();
    std::ranges::fill(to, 0.0F);
    const auto padding = static_cast<size_t>(call.layer.padding);
    for (size_t c = 0; c < sizes.channels; ++c) {
      for (size_t y = 0; y < in.height; ++y) {
        const float* from = call.in.floats().data() + (c * in.height + y) * in.width;
        float* row = &to[c * padded.plane_ + (y + padding) * 2 * padded.half_];
        for (size_t x = 0; x < in.width; ++x) row[padded.column(x + padding)] = from[x];
      }
    }
    return padded;
  }

  // What the tiles from `tile` of a row on see of a channel.
  [[gnu::always_inline]] void load(size_t channel, size_t tile_row, size_t tile,
                                   kernels::Grid<V, 4, 4>& to) const {
    const float* row = values_.as<float>().data() + channel * plane_ +
                       kWinogradOutputs * tile_row * 2 * half_ + tile;
    unroll<kWinogradSide>([&](auto y) {
      const float* even = row + y * 2 * half_;
      to[y][0] = V::load(even);
      to[y][1] = V::load(even + half_);
      to[y][2] = V::load(even + 1);
      to[y][3] = V::load(even + half_ + 1);
    });
  }

 private:
  explicit PaddedInput(const Sizes& sizes)
      : half_(sizes.row_tiles + 1),
        rows_(kWinogradOutputs * sizes.tile_rows + 2),
        plane_(rows_ * 2 * half_) {}

  [[nodiscard]] size_t column(size_t x) const { return x % 2 * half_ + x / 2; }

  size_t half_;  // even columns, and odd ones
  size_t rows_;
  size_t plane_;
  AlignedBuffer values_;
};

class Winograd {
 public:
  explicit Winograd(const ConvCall& call) : call_(call), sizes_(call) {}

  [[nodiscard]] Result<FeatureMap> run() {
    AMBRY_TRY(const PaddedInput input, PaddedInput::create(call_, sizes_));
    AMBRY_TRY(FeatureMap out, FeatureMap::f32(call_.out));
    AMBRY_RETURN_IF_ERROR(allocate());
    for (first_row_ = 0; first_row_ < sizes_.tile_rows; first_row_ += n_rows_) {
      n_rows_ = std::min(sizes_.block_rows(), sizes_.tile_rows - first_row_);
      transform_block(input);
      for (size_t first = 0; first < sizes_.outputs; first += kMostOutputs) {
        const size_t n = std::min(kMostOutputs, sizes_.outputs - first);
        transform_weights_of(first, n);
        multiply(n);
        for (size_t o = 0; o < n; ++o) put_output(first + o, o, n, out);
      }
    }
    return out;
  }

 private:
  [[nodiscard]] size_t n_tiles() const { return n_rows_ * sizes_.row_tiles; }
  [[nodiscard]] size_t n_panels() const { return kernels::n_panels(n_tiles()); }

  [[nodiscard]] Result<void> allocate() {
    const size_t tiles = sizes_.block_rows() * sizes_.row_tiles;
    const size_t outputs = std::min(kMostOutputs, sizes_.outputs);
    const auto floats = [](size_t a, size_t b) {
      return AlignedBuffer::allocate(kWinogradValues * (uint64_t{a} * b + kApart) * sizeof(float));
    };
    AMBRY_TRY(inputs_, floats(kernels::n_panels(tiles) * kPanelColumns, sizes_.channels));
    AMBRY_TRY(weights_, floats(outputs, sizes_.weight_row()));
    AMBRY_TRY(sums_, floats(outputs, tiles));
    // The columns that fill the last panel.
    std::ranges::fill(inputs_.as<float>(), 0.0F);
    return {};
  }

  void transform_block(const PaddedInput& input) {
    const size_t panel = sizes_.channels * kPanelColumns;
    const size_t value = n_panels() * panel + kApart;
    float* block = inputs_.as<float>().data();
    for (size_t c = 0; c < sizes_.channels; ++c) {
      for (size_t row = 0, tile = 0; row < n_rows_; ++row) {
        for (size_t x = 0; x < sizes_.row_tiles; x += V::kLanes, tile += V::kLanes) {
          kernels::Grid<V, 4, 4> from;
          kernels::Grid<V, 4, 4> to;
          input.load(c, first_row_ + row, x, from);
          kernels::transform_inputs<V>(from, to);
          float* at =
              block + tile / kPanelColumns * panel + c * kPanelColumns + tile % kPanelColumns;
          unroll<kWinogradValues>(
              [&](auto i) { V::store(at + i * value, to[i / kWinogradSide][i % kWinogradSide]); });
        }
      }
    }
  }

  void transform_weights_of(size_t first, size_t n) {
    const size_t row = sizes_.channels * kWeights;
    const float* from = call_.weights.weight.as<float>().data() + first * row;
    float* to = weights_.as<float>().data();
    const size_t value = n * sizes_.weight_row() + kApart;
    float last[V::kLanes * kWeights] = {};
    for (size_t o = 0; o < n; ++o, from += row) {
      for (size_t c = 0; c < sizes_.channels; c += V::kLanes, to += V::kLanes) {
        const float* group = from + c * kWeights;
        if (c + V::kLanes > sizes_.channels) {
          std::copy_n(group, (sizes_.channels - c) * kWeights, last);
          group = last;
        }
        kernels::Grid<V, 3, 3> weights;
        kernels::Grid<V, 4, 4> values;
        kernels::load_weights<V>(group, weights);
        kernels::transform_weights<V>(weights, values);
        unroll<kWinogradValues>([&](auto i) {
          V::store(to + i * value, values[i / kWinogradSide][i % kWinogradSide]);
        });
      }
    }
  }

  void multiply(size_t n_outputs) {
    const size_t tiles = n_tiles();
    const float* weights = weights_.as<float>().data();
    const float* inputs = inputs_.as<float>().data();
    float* sums = sums_.as<float>().data();
    for (size_t i = 0; i < kWinogradValues; ++i) {
      const kernels::PanelView panels{tiles, sizes_.channels, inputs};
      kernels::fused_f32_gemm<V>(kernels::MatrixView{weights, n_outputs, sizes_.weight_row()},
                                 panels, sums, tiles, kernels::RowBias{nullptr});
      weights += n_outputs * sizes_.weight_row() + kApart;
      inputs += n_panels() * sizes_.channels * kPanelColumns + kApart;
      sums += n_outputs * tiles + kApart;
    }
  }

  // Writes the outputs of a block, of output channel `output`, row `o` of `n` in the sums.
  void put_output(size_t output, size_t o, size_t n, FeatureMap& out) const {
    const auto& bias = call_.weights.bias;
    const auto add = V::splat(bias.empty() ? 0.0F : bias[output]);
    const size_t tiles = n_tiles();
    const float* sums = sums_.as<float>().data() + o * tiles;
    float* plane = out.floats().data() + output * static_cast<size_t>(call_.out.plane());
    for (size_t row = 0; row < n_rows_; ++row) {
      for (size_t x = 0; x < sizes_.row_tiles; x += V::kLanes, sums += V::kLanes) {
        kernels::Grid<V, 4, 4> from;
        kernels::Grid<V, 2, 2> to;
        unroll<kWinogradValues>([&](auto i) {
          from[i / kWinogradSide][i % kWinogradSide] = V::load(sums + i * (n * tiles + kApart));
        });
        kernels::transform_sums<V>(from, to);
        unroll<kWinogradOutputs>([&](auto y) {
          const size_t at = kWinogradOutputs * (first_row_ + row) + y;
          if (at >= call_.out.height) return;
          put_pairs(V::add(to[y][0], add), V::add(to[y][1], add), kWinogradOutputs * x,
                    plane + at * call_.out.width);
        });
      }
    }
  }

  // Stores even and odd values by turns, from column x of a row on, as far as it goes.
  [[gnu::always_inline]] void put_pairs(typename V::F32 even, typename V::F32 odd, size_t x,
                                        float* row) const {
    if (x >= call_.out.width) return;
    float pairs[2][V::kLanes];
    V::store(pairs[0], even);
    V::store(pairs[1], odd);
    const size_t n = std::min<size_t>(2 * V::kLanes, call_.out.width - x);
    for (size_t i = 0; i < n; ++i) row[x + i] = pairs[i % 2][i / 2];
  }

  const ConvCall& call_;
  Sizes sizes_;
  size_t first_row_ = 0;  // of the block of tiles
  size_t n_rows_ = 0;
  AlignedBuffer inputs_;
  AlignedBuffer weights_;
  AlignedBuffer sums_;
};

}  // namespace

bool suits_winograd(const ConvCall& call) {
  if (call.layer.kernel != kernels::kWinogradKernel || call.layer.stride != 1) return false;
  // Fewer channels do not pay for the transforms of what goes in and out.
  constexpr int32_t kFewest = 16;
  if (call.layer.in < kFewest || call.layer.out < kFewest) return false;
  // Products of each weight: of the tiles, and about as much as its own transform costs.
  constexpr uint64_t kTransform = 84;
  const uint64_t products = kWinogradValues * uint64_t{Sizes(call).tiles()} + kTransform;
  return products * 5 < kWeights * call.out.plane() * 4;
}

Result<FeatureMap> run_winograd_conv(const ConvCall& call) { return Winograd(call).run(); }

}  // namespace ambry::infer
