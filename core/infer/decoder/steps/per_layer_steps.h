// Inputs of their own for the layers: each token has an embedding for every layer beside the one
// that all layers see, and a layer adds what its gate takes of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "infer/decoder/steps/row_steps.h"
#include "infer/decoder/steps/with_activation.h"

namespace ambry::infer {

template <class V>
class PerLayerSteps : private RowSteps<V> {
  using Rows = RowSteps<V>;

 public:
  PerLayerSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : Rows(decoder, scratch, block),
        width_(config_.extras.n_embd_per_layer),
        all_(width_ * config_.n_layers) {}

  // Computes the inputs of all layers. `hidden` has the embeddings of the tokens.
  void embed() const {
    float* own = scratch_.per_layer + block_.ids.size() * all_;
    for_rows([&](size_t first, size_t rows) {
      multiply(weights_.extra.per_layer_projection, hidden(first), rows, inputs(first));
      for (size_t r = first; r < first + rows; ++r) {
        const uint32_t id = block_.ids[r];
        const kernels::WeightMatrix& table = weights_.extra.per_layer_embedding;
        table.row(id < table.rows() ? id : 0, own);
        mix(own, inputs(r));
      }
    });
  }

  // Adds the input of the layer to the hidden state, and scales that.
  void run(uint32_t layer) const {
    const ExtraLayerWeights& of = weights_.layers[layer].extra;
    for_rows([&](size_t first, size_t rows) {
      if (width_ > 0) {
        take(layer, hidden(first), first, rows);
        add(scratch_.out, rows * config_.n_embd, hidden(first));
      }
      if (of.layer_scale.empty()) return;
      scale(static_cast<double>(of.layer_scale.front()), rows * config_.n_embd, hidden(first));
    });
  }

  // Writes what the layer takes of its input to `out`. The gate reads the rows `states`.
  void take(uint32_t layer, const float* states, size_t first, size_t rows) const {
    const ExtraLayerWeights& of = weights_.layers[layer].extra;
    multiply(of.per_layer_gate, states, rows, scratch_.wide);
    for (size_t r = 0; r < rows; ++r) {
      float* gate = scratch_.wide + r * width_;
      const float* input = inputs(first + r) + layer * width_;
      activate_gated<V>(config_, {gate, width_}, {input, width_}, gate);
    }
    multiply(of.per_layer_projection, scratch_.wide, rows, scratch_.out);
    for (size_t r = 0; r < rows; ++r) {
      float* row = scratch_.out + r * config_.n_embd;
      normalize_row(of.per_layer_norm, {row, config_.n_embd}, row);
    }
  }

 private:
  using Rows::add;
  using Rows::block_;
  using Rows::config_;
  using Rows::for_rows;
  using Rows::hidden;
  using Rows::multiply;
  using Rows::normalize_row;
  using Rows::scale;
  using Rows::scratch_;
  using Rows::weights_;

  [[nodiscard]] float* inputs(size_t row) const { return scratch_.per_layer + row * all_; }

  // The inputs of a token: what its embedding is projected to, normalized for each layer, and what
  // the table has.
  void mix(const float* own, float* projected) const {
    scale(1 / std::sqrt(static_cast<double>(config_.n_embd)), all_, projected);
    const auto own_scale = static_cast<float>(std::sqrt(static_cast<double>(width_)));
    constexpr float kHalf = 1 / std::numbers::sqrt2_v<float>;
    for (size_t at = 0; at < all_; at += width_) {
      normalize_row(weights_.extra.per_layer_norm, {projected + at, width_}, projected + at);
    }
    for (size_t i = 0; i < all_; ++i) projected[i] = (projected[i] + own[i] * own_scale) * kHalf;
  }

  size_t width_;
  size_t all_;
};

}  // namespace ambry::infer
