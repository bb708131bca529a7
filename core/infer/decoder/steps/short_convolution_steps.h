// A short convolution in place of attention, with its norm (LFM2): of the three vectors b, c and x
// that the first matrix makes of a token, b · x passes the convolution, and c times its result the
// last matrix.
#pragma once

#include <cstdint>
#include <span>

#include "infer/decoder/recurrent/recurrent_state.h"
#include "infer/decoder/steps/row_steps.h"
#include "kernels/recurrent/depthwise_convolution.h"

namespace ambry::infer {

template <class V>
class ShortConvolutionSteps : private RowSteps<V> {
  using Rows = RowSteps<V>;

 public:
  ShortConvolutionSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : Rows(decoder, scratch, block) {}

  void run(uint32_t layer) const {
    const DecoderLayer& of = weights_.layers[layer];
    for_rows([&](size_t first, size_t rows) {
      normalize(of.attention_norm, first, rows);
      observe(ActivationSums::Input::Attention, layer, scratch_.normed, rows * config_.n_embd);
      multiply(of.mixer_input, scratch_.normed, rows, scratch_.fused);
      for_sequences(first, rows, [&](const PassPiece& piece, const Attending& part) {
        convolve(of, piece.states[layer], part);
      });
      observe(ActivationSums::Input::Context, layer, scratch_.context, rows * config_.n_embd);
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
  using Rows::observe;
  using Rows::scratch_;
  using Rows::weights_;

  void convolve(const DecoderLayer& of, RecurrentState& state, const Attending& part) const {
    const size_t width = config_.n_embd;
    const kernels::DepthwiseConvolution by{width, of.convolution.weight, of.convolution.bias};
    float* unused = scratch_.out;  // there is no result of these rows yet
    float* inputs = state.append(part.rows, [&](float* window, const float* rows, size_t count) {
      for (size_t r = 0; r < count; ++r) step(by, window, rows + r * width, unused);
    });
    for (size_t r = 0; r < part.rows; ++r) {
      const float* b = scratch_.fused + (part.at + r) * 3 * width;
      const float* c = b + width;
      const float* x = c + width;
      float* input = inputs + r * width;
      float* to = scratch_.context + (part.at + r) * width;
      for (size_t i = 0; i < width; ++i) input[i] = b[i] * x[i];
      step(by, state.state(), input, to);
      for (size_t i = 0; i < width; ++i) to[i] *= c[i];
    }
  }

  [[gnu::noinline]] static void step(const kernels::DepthwiseConvolution& by, float* window,
                                     const float* row, float* to) {
    kernels::convolve_row<V>(by, window, row, 0, by.channels, to);
  }
};

}  // namespace ambry::infer
