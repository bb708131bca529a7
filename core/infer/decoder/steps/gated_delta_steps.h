// A gated delta net in place of attention, with its norm (Qwen3.5). What the first matrix makes of
// a token, queries, keys and values, passes a convolution. Then each head moves its state on by the
// token and reads it (gated_delta.h). The result is normalized, gated, and passes the last matrix.
//
// A token's input of the state (recurrent_state.h) is what is convolved, and for each head by how
// much the state fades and how much of it is corrected.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "infer/decoder/recurrent/recurrent_state.h"
#include "infer/decoder/steps/row_steps.h"
#include "infer/decoder/steps/with_activation.h"
#include "kernels/activation/apply_activation.h"
#include "kernels/recurrent/depthwise_convolution.h"
#include "kernels/recurrent/gated_delta.h"

namespace ambry::infer {

template <class V>
class GatedDeltaSteps : private RowSteps<V> {
  using Rows = RowSteps<V>;

 public:
  GatedDeltaSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : Rows(decoder, scratch, block),
        sizes_(config_.delta),
        keys_(static_cast<size_t>(sizes_.keys())),
        values_(static_cast<size_t>(sizes_.values())),
        channels_(static_cast<size_t>(sizes_.channels())) {}

  void run(uint32_t layer) const {
    const DecoderLayer& of = weights_.layers[layer];
    for_rows([&](size_t first, size_t rows) {
      normalize(of.attention_norm, first, rows);
      observe(ActivationSums::Input::Attention, layer, scratch_.normed, rows * config_.n_embd);
      multiply(of.mixer_input, scratch_.normed, rows, scratch_.fused);
      multiply(of.mixer_gate, scratch_.normed, rows, scratch_.gate);
      multiply(of.mixer_beta, scratch_.normed, rows, scratch_.betas);
      multiply(of.mixer_step, scratch_.normed, rows, scratch_.steps);
      for_sequences(first, rows, [&](const PassPiece& piece, const Attending& part) {
        advance(of, piece.states[layer], part);
      });
      open_gates(of, rows);
      observe(ActivationSums::Input::Context, layer, scratch_.context, rows * values_);
      multiply(of.mixer_output, scratch_.context, rows, scratch_.out);
      finish_branch(of.post_attention_norm, rows);
      add(scratch_.out, rows * config_.n_embd, hidden(first));
    });
  }

 private:
  using Attending = typename Rows::Attending;
  using Rows::add;
  using Rows::config_;
  using Rows::finish_branch;
  using Rows::for_rows;
  using Rows::for_sequences;
  using Rows::hidden;
  using Rows::multiply;
  using Rows::normalize;
  using Rows::normalize_row;
  using Rows::observe;
  using Rows::scratch_;
  using Rows::team_for;
  using Rows::weights_;

  static constexpr float kLengthEpsilon = 1e-6F;

  [[nodiscard]] size_t input_floats() const { return channels_ + 2 * size_t{sizes_.n_value_heads}; }

  void advance(const DecoderLayer& of, RecurrentState& state, const Attending& part) const {
    // The results of tokens that are replayed have been used already.
    float* inputs = state.append(part.rows, [&](float* floats, const float* rows, size_t count) {
      for (size_t r = 0; r < count; ++r) {
        step(of, floats, rows + r * input_floats(), 1, scratch_.replayed,
             scratch_.replayed + channels_);
      }
    });
    float* mixed = scratch_.fused + part.at * channels_;
    for (size_t r = 0; r < part.rows; ++r) {
      float* input = inputs + r * input_floats();
      std::copy_n(mixed + r * channels_, channels_, input);
      put_rates(of, part.at + r, input + channels_);
    }
    step(of, state.state(), inputs, part.rows, mixed, scratch_.context + part.at * values_);
  }

  // By how much each head's state fades, and how much of it this token corrects.
  void put_rates(const DecoderLayer& of, size_t row, float* rates) const {
    const size_t n = sizes_.n_value_heads;
    const float* betas = scratch_.betas + row * n;
    const float* steps = scratch_.steps + row * n;
    for (size_t h = 0; h < n; ++h) {
      const double step = softplus(double{steps[h]} + double{of.step_bias[h]});
      rates[h] = static_cast<float>(std::exp(double{of.state_decay[h]} * step));
      rates[n + h] = static_cast<float>(1 / (1 + std::exp(-double{betas[h]})));
    }
  }

  // Moves the state on by `rows` tokens. `mixed` gets what the convolution gives, `out` what is
  // read.
  [[gnu::noinline]] void step(const DecoderLayer& of, float* state, const float* inputs,
                              size_t rows, float* mixed, float* out) const {
    const kernels::DepthwiseConvolution by{channels_, of.convolution.weight, of.convolution.bias};
    for (size_t r = 0; r < rows; ++r) {
      float* row = mixed + r * channels_;
      kernels::convolve_row<V>(by, state, inputs + r * input_floats(), 0, channels_, row);
      kernels::apply_activation<V, kernels::Silu>({row, channels_});
      scale_keys(row);
    }
    float* matrices = state + by.window_floats();
    const size_t n_heads = sizes_.n_value_heads;
    share_work(team_for(rows * static_cast<size_t>(sizes_.matrix_floats())),
               [&](size_t i, size_t n) {
                 for (size_t head = n_heads * i / n; head < n_heads * (i + 1) / n; ++head) {
                   step_head(head, matrices, inputs, rows, mixed, out);
                 }
               });
  }

  // Queries and keys get the length 1. Queries are then divided by the root of their width.
  void scale_keys(float* row) const {
    const size_t width = sizes_.key_dim;
    const float factor = 1.0F / std::sqrt(static_cast<float>(width));
    for (size_t h = 0; h < 2 * size_t{sizes_.n_key_heads}; ++h) {
      const bool is_query = h < sizes_.n_key_heads;
      kernels::scale_to_length<V>({row + h * width, width}, kLengthEpsilon, is_query ? factor : 1);
    }
  }

  void step_head(size_t head, float* matrices, const float* inputs, size_t rows, const float* mixed,
                 float* out) const {
    const size_t width = sizes_.key_dim;
    const size_t value_width = sizes_.value_dim;
    const size_t key_at = sizes_.key_head_of(static_cast<uint32_t>(head)) * width;
    float* matrix = matrices + head * width * value_width;
    for (size_t r = 0; r < rows; ++r) {
      const float* row = mixed + r * channels_;
      const float* rates = inputs + r * input_floats() + channels_;
      const kernels::GatedDeltaToken token{{row + key_at, width},
                                           {row + keys_ + key_at, width},
                                           row + 2 * keys_ + head * value_width,
                                           rates[head],
                                           rates[sizes_.n_value_heads + head]};
      kernels::gated_delta_step<V>(token, value_width, matrix,
                                   out + r * values_ + head * value_width);
    }
  }

  void open_gates(const DecoderLayer& of, size_t rows) const {
    const size_t width = sizes_.value_dim;
    for (size_t i = 0; i < rows * sizes_.n_value_heads; ++i) {
      float* head = scratch_.context + i * width;
      normalize_row(of.state_norm, {head, width}, head);
    }
    const size_t n = rows * values_;
    kernels::apply_gated_activation<V, kernels::Silu>({scratch_.gate, n}, {scratch_.context, n},
                                                      scratch_.context);
  }

  const model::GatedDeltaConfig& sizes_;
  size_t keys_;      // of all heads
  size_t values_;    // of all heads
  size_t channels_;  // what is convolved
};

}  // namespace ambry::infer
