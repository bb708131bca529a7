// A state space in place of attention or beside it, with its norm (Mamba-2). The first matrix makes
// of a token a gate z, the channels x, B and C, and a time step for each head. The channels pass a
// short convolution and SiLU, the heads their recurrence (kernels/recurrent/state_space.h), and the
// last matrix takes norm(y · SiLU(z)).
//
// The state of a layer is the window of the convolution, then the matrix of each head.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "infer/decoder/recurrent/recurrent_state.h"
#include "infer/decoder/steps/row_steps.h"
#include "infer/decoder/steps/with_activation.h"
#include "kernels/activation/apply_activation.h"
#include "kernels/activation/exp.h"
#include "kernels/recurrent/depthwise_convolution.h"
#include "kernels/recurrent/state_space.h"

namespace ambry::infer {

template <class V>
class StateSpaceSteps : private RowSteps<V> {
  using Rows = RowSteps<V>;

 public:
  StateSpaceSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : Rows(decoder, scratch, block),
        space_(config_.state_space),
        shape_{space_.heads, space_.head_dim, space_.state_dim, space_.groups} {}

  // Adds its result to the hidden state, or puts it into `attended`.
  void run(uint32_t layer, bool adds) const {
    const DecoderLayer& of = weights_.layers[layer];
    for_rows([&](size_t first, size_t rows) {
      normalize(of.attention_norm, first, rows);
      observe(ActivationSums::Input::Attention, layer, scratch_.normed, rows * config_.n_embd);
      multiply(of.mixer_input, scratch_.normed, rows, scratch_.fused);
      for_sequences(first, rows, [&](const PassPiece& piece, const Attending& part) {
        advance(of, piece.states[layer], part);
      });
      for (size_t r = 0; r < rows; ++r) gate(of, projected(r), context(r));
      if (adds) observe(ActivationSums::Input::Context, layer, context(0), rows * shape_.width());
      multiply(of.mixer_output, context(0), rows, scratch_.out);
      scale(space_.out_scale, rows * config_.n_embd, scratch_.out);
      finish_branch(of.post_attention_norm, rows);
      if (adds) {
        add(scratch_.out, rows * config_.n_embd, hidden(first));
      } else {
        std::copy_n(scratch_.out, rows * config_.n_embd, attended(first));
      }
    });
  }

 private:
  using Attending = typename Rows::Attending;
  using Rows::add;
  using Rows::attended;
  using Rows::config_;
  using Rows::finish_branch;
  using Rows::for_rows;
  using Rows::for_sequences;
  using Rows::hidden;
  using Rows::multiply;
  using Rows::normalize;
  using Rows::observe;
  using Rows::scale;
  using Rows::scratch_;
  using Rows::team_for;
  using Rows::weights_;

  // Rows of inputs and where their results go.
  struct Moved {
    const float* inputs;  // [count][channels + heads]
    size_t count;
    float* convolved;  // channels of each row
    size_t stride;     // from one such row to the next
    float* y;          // [count][width]
  };

  [[nodiscard]] float* projected(size_t r) const {
    return scratch_.fused + r * space_.input_width();
  }
  [[nodiscard]] float* context(size_t r) const { return scratch_.context + r * shape_.width(); }

  void advance(const DecoderLayer& of, RecurrentState& state, const Attending& part) const {
    const size_t width = space_.channels() + space_.heads;
    float* const inputs = state.append(part.rows, [&](float* to, const float* rows, size_t count) {
      for (size_t r = 0; r < count; ++r) {
        move(of, to, {rows + r * width, 1, scratch_.convolved, 0, context(part.at)});
      }
    });
    for (size_t r = 0; r < part.rows; ++r) {
      float* const row = projected(part.at + r);
      scale_parts(row);
      std::copy_n(row + shape_.width(), width, inputs + r * width);
    }
    move(of, state.state(),
         {inputs, part.rows, projected(part.at) + shape_.width(), space_.input_width(),
          context(part.at)});
  }

  void scale_parts(float* row) const {
    const size_t group = shape_.groups * shape_.n_state;
    const size_t widths[] = {shape_.width(), shape_.width(), group, group, shape_.heads};
    for (size_t i = 0; i < std::size(widths); ++i) {
      scale(space_.scales[i], widths[i], row);
      row += widths[i];
    }
  }

  // Moves the state of a sequence on by some rows. Threads share the channels, then the heads.
  void move(const DecoderLayer& of, float* state, const Moved& rows) const {
    const kernels::DepthwiseConvolution by{space_.channels(), of.convolution.weight,
                                           of.convolution.bias};
    const size_t width = space_.channels() + space_.heads;
    share_work(team_for(rows.count * of.convolution.weight.size()), [&](size_t i, size_t n) {
      const size_t first = by.channels * i / n;
      const size_t end = by.channels * (i + 1) / n;
      for (size_t r = 0; r < rows.count; ++r) {
        convolve(by, state, rows.inputs + r * width, first, end, rows.convolved + r * rows.stride);
      }
    });
    float* const matrices = state + by.window_floats();
    share_work(team_for(rows.count * shape_.state_floats()), [&](size_t i, size_t n) {
      for (size_t head = shape_.heads * i / n; head < shape_.heads * (i + 1) / n; ++head) {
        move_head(of, head, matrices + head * shape_.head_dim * shape_.n_state, rows);
      }
    });
  }

  [[gnu::noinline]] static void convolve(const kernels::DepthwiseConvolution& by, float* window,
                                         const float* row, size_t first, size_t end, float* to) {
    kernels::convolve_row<V>(by, window, row, first, end, to);
    kernels::apply_activation<V, kernels::Silu>({to + first, end - first});
  }

  [[gnu::noinline]] void move_head(const DecoderLayer& of, size_t head, float* matrix,
                                   const Moved& rows) const {
    const size_t begin = head * shape_.head_dim;
    const size_t b = shape_.width() + shape_.group_of(head) * shape_.n_state;
    const size_t c = b + shape_.groups * shape_.n_state;
    for (size_t r = 0; r < rows.count; ++r) {
      const float* const row = rows.convolved + r * rows.stride;
      const float raw =
          rows.inputs[r * (space_.channels() + space_.heads) + space_.channels() + head];
      const float step = time_step(raw + of.step_bias[head]);
      const float decay = kernels::exp<simd::Scalar>(step * of.state_decay[head]);
      kernels::advance_state_space<V>(
          shape_, {row + begin, row + b, row + c, step, decay, of.state_skip[head]}, matrix,
          rows.y + r * shape_.width() + begin);
    }
  }

  [[nodiscard]] float time_step(float raw) const {
    const float step = std::max(softplus(raw), static_cast<float>(space_.step_min));
    return space_.step_max > 0 ? std::min(step, static_cast<float>(space_.step_max)) : step;
  }

  [[gnu::noinline]] void gate(const DecoderLayer& of, const float* z, float* y) const {
    const std::span<float> row(y, shape_.width());
    if (space_.norm_first) normalize_groups(of, row);
    kernels::apply_gated_activation<V, kernels::Silu>({z, row.size()}, row, y);
    if (!space_.norm_first) normalize_groups(of, row);
  }

  void normalize_groups(const DecoderLayer& of, std::span<float> row) const {
    const std::span<const float> weight = of.state_norm.weight;
    const size_t width = weight.empty() ? 0 : row.size() / shape_.groups;
    for (size_t at = 0; width > 0 && at < row.size(); at += width) {
      kernels::rms_norm<V>(row.subspan(at, width), weight.subspan(at, width),
                           static_cast<float>(config_.norm_eps), &row[at]);
    }
  }

  const model::StateSpaceConfig& space_;
  kernels::StateSpaceShape shape_;
};

}  // namespace ambry::infer
