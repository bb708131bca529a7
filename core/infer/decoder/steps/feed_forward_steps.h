// The feed-forward layer, with its norms.
#pragma once

#include <cstdint>

#include "infer/decoder/steps/keep_large.h"
#include "infer/decoder/steps/row_steps.h"
#include "infer/decoder/steps/with_activation.h"

namespace ambry::infer {

template <class V>
class FeedForwardSteps : private RowSteps<V> {
  using Rows = RowSteps<V>;

 public:
  FeedForwardSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : Rows(decoder, scratch, block) {}

  void run(uint32_t layer) const {
    const DecoderLayer& of = weights_.layers[layer];
    const bool shares_norm = config_.parallel_residual && of.mlp_norm.weight.empty();
    const NormWeights& norm = shares_norm ? of.attention_norm : of.mlp_norm;
    for_rows([&](size_t first, size_t rows) {
      normalize(norm, first, rows);
      observe(ActivationSums::Input::Mlp, layer, scratch_.normed, rows * config_.n_embd);
      widen(layer, rows);
      observe(ActivationSums::Input::Wide, layer, scratch_.wide, rows * config_.n_ff_of(layer));
      multiply(of.down, scratch_.wide, rows, scratch_.out);
      scale(config_.mlp_out_scale, rows * config_.n_embd, scratch_.out);
      finish_branch(of.post_mlp_norm, rows);
      if (config_.parallel_residual) add(attended(first), rows * config_.n_embd, hidden(first));
      add(scratch_.out, rows * config_.n_embd, hidden(first));
    });
  }

 protected:
  using Rows::add;
  using Rows::attended;
  using Rows::block_;
  using Rows::config_;
  using Rows::finish_branch;
  using Rows::for_rows;
  using Rows::hidden;
  using Rows::multiply;
  using Rows::normalize;
  using Rows::normalize_row;
  using Rows::observe;
  using Rows::scale;
  using Rows::scratch_;
  using Rows::weights_;

  // act(gate(x)) * up(x), or act(up(x)), into `wide`.
  void widen(uint32_t layer, size_t rows) const {
    const DecoderLayer& of = weights_.layers[layer];
    const size_t n_ff = config_.n_ff_of(layer);
    if (of.gate_up.weight.rows() > 0) {
      multiply(of.gate_up, scratch_.normed, rows, scratch_.fused);
      for (size_t r = 0; r < rows; ++r) {
        const float* gate = scratch_.fused + r * 2 * n_ff;
        activate_gated<V>(config_, {gate, n_ff}, {gate + n_ff, n_ff}, scratch_.wide + r * n_ff);
      }
    } else if (of.gate.weight.rows() > 0) {
      multiply(of.gate, scratch_.normed, rows, scratch_.wide);
      scale(config_.mlp_gate_scale, rows * n_ff, scratch_.wide);
      if (const auto sparsity = config_.extras.sparsity_of(layer)) {
        keep_large(static_cast<float>(*sparsity), n_ff, {scratch_.wide, rows * n_ff});
      }
      multiply(of.up, scratch_.normed, rows, scratch_.up);
      activate_gated<V>(config_, {scratch_.wide, rows * n_ff}, {scratch_.up, rows * n_ff},
                        scratch_.wide);
    } else {
      multiply(of.up, scratch_.normed, rows, scratch_.wide);
      activate<V>(config_, layer, {scratch_.wide, rows * n_ff});
    }
  }
};

}  // namespace ambry::infer
