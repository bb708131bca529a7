// Mixtures of experts. The router's numbers for the experts of a layer become weights by a softmax.
// A token goes through the experts with the largest ones, and their results are summed with these
// weights, which are not made to sum to 1.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "infer/encoder/encoder_scratch.h"
#include "infer/encoder/linear_input.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "infer/encoder/widen.h"
#include "kernels/add_row.h"

namespace ambry::infer {

// Makes the weights of one token's experts. Those of the experts that it does not use become 0.
inline void choose_experts(std::span<float> odds, size_t n_used) {
  const float largest = *std::ranges::max_element(odds);
  float sum = 0;
  for (float& x : odds) sum += x = std::exp(x - largest);
  for (size_t n_left = odds.size(); n_left > n_used; --n_left) {
    // The last one of equal ones goes first. What has gone is below all others.
    float* least = nullptr;
    for (float& x : odds) {
      if (x >= 0 && (least == nullptr || x <= *least)) least = &x;
    }
    if (least == nullptr) break;  // no number
    *least = -1;
  }
  for (float& x : odds) x = std::max(x, 0.0F) / sum;
}

// The rows of one expert, up to kFeedForwardRows.
template <class V>
class ExpertRows {
 public:
  // `sums` and `odds` have a row for each token, and `gathered` room for kFeedForwardRows.
  ExpertRows(const EncoderWeights& weights, const float* hidden, float* sums, float* gathered,
             EncoderScratch& scratch)
      : weights_(weights), hidden_(hidden), sums_(sums), gathered_(gathered), scratch_(scratch) {}

  void add(const EncoderLayer& expert, size_t token, float odds) {
    const size_t width = weights_.hidden_size;
    std::copy_n(hidden_ + token * width, width, gathered_ + n_ * width);
    tokens_[n_] = token;
    odds_[n_++] = odds;
    if (n_ == kFeedForwardRows) run(expert);
  }

  void run(const EncoderLayer& expert) {
    if (n_ == 0) return;
    const size_t width = weights_.hidden_size;
    const size_t wide = weights_.intermediate_size;
    LinearInput<V> rows(gathered_, n_, width, scratch_);
    widen_and_activate(weights_.activation, rows, expert.intermediate, scratch_.intermediate(),
                       wide);
    LinearInput<V> widened(scratch_.intermediate(), n_, wide, scratch_);
    widened.multiply(expert.output.weight, gathered_, width,
                     kernels::Bias{expert.output.bias.data()});
    for (size_t i = 0; i < n_ * width; ++i) {
      sums_[tokens_[i / width] * width + i % width] += odds_[i / width] * gathered_[i];
    }
    n_ = 0;
  }

 private:
  const EncoderWeights& weights_;
  const float* hidden_;
  float* sums_;
  float* gathered_;
  EncoderScratch& scratch_;
  size_t n_ = 0;
  std::array<size_t, kFeedForwardRows> tokens_;
  std::array<float, kFeedForwardRows> odds_;
};

// Adds what the experts give to the rows. EncoderScratch::normed() has the sums, then the rows that
// an expert gets together, then the weights of the experts.
template <class V>
void mix_experts(const EncoderWeights& weights, uint32_t number, EncoderScratch& scratch,
                 std::span<float> hidden) {
  const EncoderLayer& layer = weights.layer(number);
  const size_t width = weights.hidden_size;
  const size_t n_tokens = hidden.size() / width;
  const size_t n_experts = weights.facts.experts;
  float* sums = scratch.normed();
  float* gathered = sums + hidden.size();
  float* odds = gathered + kFeedForwardRows * width;
  LinearInput<V> tokens(hidden.data(), n_tokens, width, scratch);
  tokens.multiply(layer.gate.weight, odds, n_experts, kernels::Bias{layer.gate.bias.data()});
  for (size_t i = 0; i < n_tokens; ++i) {
    choose_experts({odds + i * n_experts, n_experts}, weights.facts.experts_used);
    std::copy_n(layer.output.bias.data(), width, sums + i * width);
  }
  ExpertRows<V> rows(weights, hidden.data(), sums, gathered, scratch);
  for (uint32_t expert = 0; expert < n_experts; ++expert) {
    const EncoderLayer& part = weights.part(number, expert + 1);
    for (size_t i = 0; i < n_tokens; ++i) {
      const float weight = odds[i * n_experts + expert];
      if (weight > 0) rows.add(part, i, weight);
    }
    rows.run(part);
  }
  kernels::add_row<V>({sums, hidden.size()}, hidden);
}

}  // namespace ambry::infer
