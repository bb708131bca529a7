// The feed-forward layer as a mixture of experts, with its norms: route() chooses, run() computes
// one expert for all rows that take it, and finish() adds the sum to the hidden state.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "infer/decoder/experts/expert_choice.h"
#include "infer/decoder/steps/feed_forward_steps.h"

namespace ambry::infer {

template <class V>
class ExpertSteps : private FeedForwardSteps<V> {
  using Base = FeedForwardSteps<V>;

 public:
  ExpertSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : Base(decoder, scratch, block) {}

  // Computes what all tokens share, with which the sums begin unless it has a norm of its own.
  void route(uint32_t layer, ExpertChoice& choice) const {
    const DecoderLayer& of = weights_.layers[layer];
    choice.begin(config_.experts);
    for_rows([&](size_t first, size_t rows) {
      choose(layer, first, rows, choice);
      observe(ActivationSums::Input::Mlp, layer, scratch_.normed, rows * config_.n_embd);
      const bool apart = config_.experts.norms;
      if (apart || !config_.experts.shared) {
        std::fill_n(sums(first), rows * config_.n_embd, 0.0F);
        if (!apart) return;
      }
      widen(layer, rows);
      observe(ActivationSums::Input::Wide, layer, scratch_.wide, rows * config_.n_ff_of(layer));
      float* shared = apart ? this->shared(first) : sums(first);
      multiply(of.down, scratch_.wide, rows, shared);
      for (size_t r = 0; r < rows; ++r) finish_shared(of.extra, r, shared + r * config_.n_embd);
    });
    choice.start();
  }

  // Adds what the expert gives for the rows that take it.
  void run(uint32_t layer, uint32_t expert, std::span<const ExpertRow> rows) const {
    const ExpertWeights& weights = weights_.layers[layer].experts[expert];
    const size_t width = config_.n_embd;
    const size_t n_ff = config_.experts.n_ff;
    const DecoderLayer& of = weights_.layers[layer];
    const NormWeights& norm = config_.experts.norms ? of.extra.expert_input_norm : of.mlp_norm;
    for (size_t done = 0; done < rows.size(); done += kPassRows) {
      const auto part = rows.subspan(done, std::min(kPassRows, rows.size() - done));
      const size_t n = part.size();
      for (size_t i = 0; i < n; ++i) normalize(norm, part[i].row, 1, i);
      observe_expert(layer, expert, false, scratch_.normed, n * width);
      multiply(weights.gate, scratch_.normed, n, scratch_.wide);
      multiply(weights.up, scratch_.normed, n, scratch_.up);
      activate_gated<V>(config_, {scratch_.wide, n * n_ff}, {scratch_.up, n * n_ff}, scratch_.wide);
      observe_expert(layer, expert, true, scratch_.wide, n * n_ff);
      multiply(weights.down, scratch_.wide, n, scratch_.out);
      for (size_t i = 0; i < n; ++i) {
        float* row = scratch_.out + i * width;
        scale(static_cast<double>(part[i].weight), width, row);
        add(row, width, sums(part[i].row));
      }
    }
  }

  void finish(uint32_t layer) const {
    for_rows([&](size_t first, size_t rows) {
      std::copy_n(sums(first), rows * config_.n_embd, scratch_.out);
      if (config_.experts.norms) add_shared(layer, first, rows);
      finish_branch(weights_.layers[layer].post_mlp_norm, rows);
      add(scratch_.out, rows * config_.n_embd, hidden(first));
    });
  }

 private:
  using Base::add;
  using Base::block_;
  using Base::config_;
  using Base::finish_branch;
  using Base::for_rows;
  using Base::hidden;
  using Base::multiply;
  using Base::normalize;
  using Base::normalize_row;
  using Base::observe;
  using Base::scale;
  using Base::scratch_;
  using Base::weights_;
  using Base::widen;

  [[nodiscard]] float* sums(size_t i) const { return scratch_.of_experts + i * config_.n_embd; }
  [[nodiscard]] float* shared(size_t i) const { return scratch_.of_shared + i * config_.n_embd; }

  // Leaves the rows as the ordinary part reads them in `normed`.
  void choose(uint32_t layer, size_t first, size_t rows, ExpertChoice& choice) const {
    const DecoderLayer& of = weights_.layers[layer];
    const bool apart = config_.experts.norms;
    normalize(apart ? of.extra.router_scale : of.mlp_norm, first, rows);
    if (apart) {
      scale(1 / std::sqrt(static_cast<double>(config_.n_embd)), rows * config_.n_embd,
            scratch_.normed);
    }
    multiply(of.router, scratch_.normed, rows, scratch_.fused);
    const size_t n_experts = config_.experts.count;
    for (size_t r = 0; r < rows; ++r) {
      choice.choose(first + r, {scratch_.fused + r * n_experts, n_experts}, of.router_bias,
                    of.extra.expert_scale);
    }
    if (apart) normalize(of.mlp_norm, first, rows);
  }

  // Scales or normalizes what the ordinary part gives for the row `r` of `normed`.
  void finish_shared(const ExtraLayerWeights& of, size_t r, float* row) const {
    const size_t width = config_.n_embd;
    if (config_.experts.norms) normalize_row(of.shared_norm, {row, width}, row);
    if (of.shared_gate.empty()) return;
    const float* input = scratch_.normed + r * width;
    double logit = 0;
    for (size_t i = 0; i < width; ++i) {
      logit += static_cast<double>(input[i]) * static_cast<double>(of.shared_gate[i]);
    }
    scale(1 / (1 + std::exp(-logit)), width, row);
  }

  // Normalizes what the experts give, in `out`, before the ordinary part is added.
  void add_shared(uint32_t layer, size_t first, size_t rows) const {
    const size_t width = config_.n_embd;
    const NormWeights& norm = weights_.layers[layer].extra.expert_norm;
    for (size_t r = 0; r < rows; ++r) {
      float* row = scratch_.out + r * width;
      normalize_row(norm, {row, width}, row);
    }
    add(shared(first), rows * width, scratch_.out);
  }

  void observe_expert(uint32_t layer, uint32_t expert, bool wide, const float* rows,
                      size_t n) const {
    if (block_.observed != nullptr) block_.observed->add_expert(layer, expert, wide, {rows, n});
  }
};

}  // namespace ambry::infer
