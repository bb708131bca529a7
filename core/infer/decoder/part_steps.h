// The parts of a forward pass (decoder.h), written once for every instruction set and architecture.
// The input has been checked and the weights of the part are in memory.
//
//   sequential   h += norm3(attention(norm1(h))); h += norm4(mlp(norm2(h)))
//   parallel     h += attention(norm1(h)) + mlp(norm2(h)); norm2 is norm1 if there is only one
//
// In place of attention, a layer may have another way to mix tokens, or none (model/decoder/
// layer_kind.h). A norm that the architecture does not have changes nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "infer/decoder/steps/attention_steps.h"
#include "infer/decoder/steps/expert_steps.h"
#include "infer/decoder/steps/feed_forward_steps.h"
#include "infer/decoder/steps/gated_delta_steps.h"
#include "infer/decoder/steps/per_layer_steps.h"
#include "infer/decoder/steps/row_steps.h"
#include "infer/decoder/steps/short_convolution_steps.h"
#include "infer/decoder/steps/state_space_steps.h"
#include "infer/decoder/steps/stream_steps.h"
#include "kernels/attention/soft_cap.h"

namespace ambry::infer {

template <class V>
class PartSteps : private RowSteps<V> {
  using Rows = RowSteps<V>;

 public:
  PartSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : Rows(decoder, scratch, block),
        attention_(decoder, scratch, block),
        short_convolution_(decoder, scratch, block),
        state_space_(decoder, scratch, block),
        gated_delta_(decoder, scratch, block),
        feed_forward_(decoder, scratch, block),
        experts_(decoder, scratch, block),
        per_layer_(decoder, scratch, block),
        streams_(decoder, scratch, block) {}

  // What mixes the tokens of a layer.
  void mix(uint32_t layer) const {
    switch (config_.kind_of(layer)) {
      case model::LayerKind::Attention:
        return attend(layer);
      case model::LayerKind::ShortConvolution:
        return short_convolution_.run(layer);
      case model::LayerKind::StateSpace:
        return state_space_.run(layer, true);
      case model::LayerKind::AttentionAndStateSpace:
        state_space_.run(layer, false);
        attention_.run(layer);
        return add(scratch_.attended, block_.ids.size() * config_.n_embd, scratch_.hidden);
      case model::LayerKind::GatedDelta:
        return gated_delta_.run(layer);
      default:
        return;
    }
  }

  void feed_forward(uint32_t layer) const {
    if (config_.has_mlp(layer)) feed_forward_.run(layer);
  }
  [[nodiscard]] const ExpertSteps<V>& experts() const { return experts_; }

  // What follows the feed-forward layer.
  void end_layer(uint32_t layer) const {
    if (config_.extras.n_streams > 0) {
      streams_.correct(layer, per_layer_);
      if (layer + 1 == config_.n_layers) streams_.merge();
    } else if (config_.extras.n_embd_per_layer > 0 ||
               !weights_.layers[layer].extra.layer_scale.empty()) {
      per_layer_.run(layer);
    }
  }

  void embed() const {
    for (const PassPiece& piece : block_.pieces) embed(piece);
    if (config_.extras.n_embd_per_layer > 0) per_layer_.embed();
    if (config_.extras.n_streams > 0) streams_.embed();
  }

  // Observes all tokens, whether or not their logits are wanted.
  void observe_output() const {
    if (block_.observed == nullptr) return;
    for_rows([&](size_t first, size_t rows) {
      normalize(weights_.final_norm, first, rows);
      block_.observed->add_output({scratch_.normed, rows * config_.n_embd});
    });
  }

  // The hidden states of some rows of the block after the last norm.
  void final_states(std::span<const size_t> wanted, float* states) const {
    const size_t width = config_.n_embd;
    for (size_t i = 0; i < wanted.size(); ++i) {
      normalize(weights_.final_norm, wanted[i], 1);
      std::copy_n(scratch_.normed, width, states + i * width);
    }
  }

  // Computes the logits of some rows of the block.
  void output(std::span<const size_t> wanted, float* logits) const {
    const kernels::WeightMatrix& matrix = weights_.output_matrix();
    for (size_t done = 0; done < wanted.size(); done += kPassRows) {
      const size_t rows = std::min(kPassRows, wanted.size() - done);
      for (size_t r = 0; r < rows; ++r) normalize(weights_.final_norm, wanted[done + r], 1, r);
      float* to = logits + done * matrix.rows();
      multiply(matrix, scratch_.normed, rows, to);
      add_bias(weights_.output.bias, rows, matrix.rows(), to);
      scale(config_.logit_scale, rows * matrix.rows(), to);
      if (config_.final_softcap == 0) continue;
      kernels::soft_cap<V>({to, rows * matrix.rows()}, static_cast<float>(config_.final_softcap));
    }
  }

 private:
  using Rows::add;
  using Rows::add_bias;
  using Rows::block_;
  using Rows::config_;
  using Rows::for_rows;
  using Rows::hidden;
  using Rows::multiply;
  using Rows::normalize;
  using Rows::scale;
  using Rows::scratch_;
  using Rows::weights_;

  void attend(uint32_t layer) const {
    const bool has_streams = config_.extras.n_streams > 0;
    if (has_streams) streams_.predict(layer);
    attention_.run(layer);
    if (has_streams) streams_.add_laurel(layer);
  }

  void embed(const PassPiece& piece) const {
    const auto ids = block_.ids.subspan(piece.first, piece.rows);
    if (block_.observed != nullptr) block_.observed->add_tokens(ids, piece.position);
    for (size_t i = 0; i < ids.size(); ++i) {
      float* row = hidden(piece.first + i);
      weights_.token_embedding.row(ids[i], row);
      scale(config_.embed_scale, config_.n_embd, row);
      if (config_.positions != model::DecoderPositions::Learned) continue;
      weights_.position_embedding.row(static_cast<size_t>(piece.position) + i, scratch_.normed);
      add(scratch_.normed, config_.n_embd, row);
    }
  }

  AttentionSteps<V> attention_;
  ShortConvolutionSteps<V> short_convolution_;
  StateSpaceSteps<V> state_space_;
  GatedDeltaSteps<V> gated_delta_;
  FeedForwardSteps<V> feed_forward_;
  ExpertSteps<V> experts_;
  PerLayerSteps<V> per_layer_;
  StreamSteps<V> streams_;
};

}  // namespace ambry::infer
