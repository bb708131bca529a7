// Probabilities of tokens by the model's own distribution, the softmax of all logits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ambry::infer {

struct TokenProbability {
  uint32_t id = 0;
  double log_probability = 0;  // natural logarithm

  friend bool operator==(const TokenProbability&, const TokenProbability&) = default;
};

// log Σ e^logit, within 1e-6. A token's log probability is its logit minus this. The logits must be
// finite and at least one.
[[nodiscard]] double log_sum_exp(std::span<const float> logits);

[[nodiscard]] double log_probability(std::span<const float> logits, uint32_t id);

// The `n` most likely tokens, most likely first; of equally likely ones the lowest id first.
[[nodiscard]] std::vector<TokenProbability> most_likely(std::span<const float> logits, size_t n);

// The perplexity of a text: e^(-mean log probability of each token after the first).
class Perplexity {
 public:
  void add(double log_probability) {
    sum_ += log_probability;
    ++count_;
  }
  [[nodiscard]] uint64_t count() const { return count_; }
  [[nodiscard]] double sum() const { return sum_; }
  // NaN if nothing was added.
  [[nodiscard]] double value() const;

 private:
  double sum_ = 0;
  uint64_t count_ = 0;
};

}  // namespace ambry::infer
