// Several streams of the hidden state (Baykal et al., "Alternating Updates for Efficient
// Transformers", 2023): a layer predicts all of them, computes with the first, and corrects all by
// what it found. Beside attention a low-rank layer adds to the first (Menghani et al., "LAuReL:
// Learned Augmented Residual Layer", 2025).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "infer/decoder/steps/per_layer_steps.h"
#include "infer/decoder/steps/row_steps.h"
#include "kernels/attention/soft_cap.h"

namespace ambry::infer {

// The length of `like` divided by the length of `row`.
[[nodiscard]] float length_ratio(std::span<const float> like, std::span<const float> row);
// Replaces number i of each stream by itself and the sum over the streams b of weights[s][b] times
// number i of stream b. `row` has one stream after another.
void predict_streams(std::span<const float> weights, size_t n_streams, std::span<float> row);

template <class V>
class StreamSteps : private RowSteps<V> {
  using Rows = RowSteps<V>;

 public:
  StreamSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : Rows(decoder, scratch, block), n_(config_.extras.n_streams) {}

  // Makes the streams of the embeddings in `hidden`. All are as long as the first.
  void embed() const {
    for_rows([&](size_t first, size_t rows) {
      for (size_t r = 0; r < rows; ++r) std::copy_n(hidden(first + r), width(), row(first + r, 0));
      for (size_t s = 1; s < n_; ++s) {
        multiply(weights_.extra.stream_projections[s - 1], hidden(first), rows, scratch_.out);
        for (size_t r = 0; r < rows; ++r) {
          put_as_long(first + r, scratch_.out + r * width(), row(first + r, s));
        }
      }
    });
  }

  // Predicts the streams before a layer. `hidden` becomes the first.
  void predict(uint32_t layer) const {
    const ExtraLayerWeights& of = weights_.layers[layer].extra;
    for_rows([&](size_t first, size_t rows) {
      for (size_t r = 0; r < rows; ++r) std::copy_n(row(first + r, 0), width(), hidden(first + r));
      route(of, first, rows);
      multiply(of.predict, scratch_.wide, rows, scratch_.up);
      for (size_t r = 0; r < rows; ++r) {
        predict_streams({scratch_.up + r * n_ * n_, n_ * n_}, n_,
                        {row(first + r, 0), n_ * width()});
        std::copy_n(row(first + r, 0), width(), hidden(first + r));
      }
    });
  }

  // Adds the low-rank layer to what attention made of the first stream.
  void add_laurel(uint32_t layer) const {
    const DecoderLayer& of = weights_.layers[layer];
    constexpr float kHalf = 1 / std::numbers::sqrt2_v<float>;
    for_rows([&](size_t first, size_t rows) {
      for (size_t r = 0; r < rows; ++r) {
        normalize_row(of.attention_norm, {row(first + r, 0), width()}, normed(r));
      }
      multiply(of.extra.laurel_left, scratch_.normed, rows, scratch_.wide);
      multiply(of.extra.laurel_right, scratch_.wide, rows, scratch_.out);
      for (size_t r = 0; r < rows; ++r) {
        float* out = scratch_.out + r * width();
        normalize_row(of.extra.laurel_norm, {out, width()}, out);
      }
      add(scratch_.normed, rows * width(), scratch_.out);
      add(scratch_.out, rows * width(), hidden(first));
      scale(kHalf, rows * width(), hidden(first));
    });
  }

  // Corrects the streams by what the layer made of the first, in `hidden`, and adds the layer's
  // own input to all but the first.
  void correct(uint32_t layer, const PerLayerSteps<V>& per_layer) const {
    const ExtraLayerWeights& of = weights_.layers[layer].extra;
    for_rows([&](size_t first, size_t rows) {
      route(of, first, rows);
      multiply(of.correct, scratch_.wide, rows, scratch_.up);
      for (size_t r = 0; r < rows; ++r) correct_row(scratch_.up + r * n_, first + r);
      for (size_t r = 0; r < rows; ++r) {
        for (size_t i = 0; i < width(); ++i)
          normed(r)[i] = row(first + r, 0)[i] * of.stream_scale[i];
      }
      per_layer.take(layer, scratch_.normed, first, rows);
      for (size_t r = 0; r < rows; ++r) {
        for (size_t s = 1; s < n_; ++s) {
          add(scratch_.out + r * width(), width(), row(first + r, s));
        }
      }
    });
  }

  // Makes one hidden state of all streams: their mean, each as long as the first.
  void merge() const {
    for_rows([&](size_t first, size_t rows) {
      for (size_t r = 0; r < rows; ++r) std::copy_n(row(first + r, 0), width(), hidden(first + r));
      for (size_t s = 1; s < n_; ++s) {
        for (size_t r = 0; r < rows; ++r) std::copy_n(row(first + r, s), width(), normed(r));
        multiply(weights_.extra.stream_unembeddings[s - 1], scratch_.normed, rows, scratch_.out);
        for (size_t r = 0; r < rows; ++r) {
          float* out = scratch_.out + r * width();
          scale(static_cast<double>(length_ratio({row(first + r, 0), width()}, {out, width()})),
                width(), out);
        }
        add(scratch_.out, rows * width(), hidden(first));
      }
      scale(1.0 / static_cast<double>(n_), rows * width(), hidden(first));
    });
  }

 private:
  using Rows::add;
  using Rows::config_;
  using Rows::for_rows;
  using Rows::hidden;
  using Rows::multiply;
  using Rows::normalize_row;
  using Rows::scale;
  using Rows::scratch_;
  using Rows::weights_;

  [[nodiscard]] size_t width() const { return config_.n_embd; }
  [[nodiscard]] float* row(size_t token, size_t stream) const {
    return scratch_.streams + (token * n_ + stream) * width();
  }
  [[nodiscard]] float* normed(size_t r) const { return scratch_.normed + r * width(); }

  void put_as_long(size_t token, float* from, float* to) const {
    scale(static_cast<double>(length_ratio({hidden(token), width()}, {from, width()})), width(),
          from);
    std::copy_n(from, width(), to);
  }

  // Writes to `wide` how much each of n_streams kinds `hidden` is of, from -1 to 1.
  void route(const ExtraLayerWeights& of, size_t first, size_t rows) const {
    for (size_t r = 0; r < rows; ++r) {
      normalize_row(of.router_norm, {hidden(first + r), width()}, normed(r));
    }
    scale(1.0 / static_cast<double>(width()), rows * width(), scratch_.normed);
    multiply(of.router, scratch_.normed, rows, scratch_.wide);
    kernels::soft_cap<V>({scratch_.wide, rows * n_}, 1.0F);
  }

  void correct_row(const float* weights, size_t token) const {
    const float* found = hidden(token);
    float* first = row(token, 0);
    for (size_t i = 0; i < width(); ++i) {
      const float change = found[i] - first[i];
      for (size_t s = 0; s < n_; ++s) first[s * width() + i] += change * (weights[s] + 1);
    }
  }

  size_t n_;
};

}  // namespace ambry::infer
