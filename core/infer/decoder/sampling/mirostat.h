// Mirostat 1 and 2 (S. Basu et al., 2020): leaves out tokens that would surprise more than a limit,
// and moves the limit so that the surprise of the drawn tokens stays near `tau`.
#pragma once

#include <cstddef>

#include "infer/decoder/sampling/candidates.h"
#include "infer/decoder/sampling/sampler_options.h"

namespace ambry::infer {

class Mirostat {
 public:
  explicit Mirostat(const MirostatOptions& options) : options_(options), limit_(2 * options.tau) {}

  // Leaves at least one candidate. They must be weighed with `temperature`. `n_tokens` is the size
  // of the vocabulary.
  void keep(Candidates& candidates, double temperature, size_t n_tokens) const;
  // Call with the probability of the drawn token among the candidates that were kept.
  void learn(double probability);

  [[nodiscard]] double limit() const { return limit_; }  // bits

 private:
  [[nodiscard]] double top_k(const Candidates& candidates, double temperature,
                             size_t n_tokens) const;

  MirostatOptions options_;
  double limit_;
};

}  // namespace ambry::infer
