// What the model's own distribution, the softmax of all logits, gives to tokens.
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

// log Σ e^logit, within 1e-6; the logarithm of a token's probability is its logit less this. The
// logits are finite and at least one.
[[nodiscard]] double log_sum_exp(std::span<const float> logits);

[[nodiscard]] double log_probability(std::span<const float> logits, uint32_t id);

// The `n` most likely tokens, the most likely first, of equal ones the lowest id.
[[nodiscard]] std::vector<TokenProbability> most_likely(std::span<const float> logits, size_t n);

// Over a text: e^(-mean log probability of each token after the first).
class Perplexity {
 public:
  void add(double log_probability) {
    sum_ += log_probability;
    ++count_;
  }
  [[nodiscard]] uint64_t count() const { return count_; }
  [[nodiscard]] double sum() const { return sum_; }
  // NaN where nothing was added.
  [[nodiscard]] double value() const;

 private:
  double sum_ = 0;
  uint64_t count_ = 0;
};

}  // namespace ambry::infer
