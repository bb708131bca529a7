// The choice of the next token (README.md#sampling): the penalty of tokens that occurred, once for
// each distinct one, then temperature, top-k, top-p and min-p. The same seed and logits give the
// same ids in every build: all arithmetic is of single numbers in a fixed order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/result.h"

namespace ambry::infer {

struct SamplerOptions {
  double temperature = 0.8;  // 0: always the most likely token, of equal ones the lowest id
  uint32_t top_k = 0;        // 0: all
  double top_p = 1;          // of the probability that is kept, the most likely tokens first
  double min_p = 0;          // tokens less likely than this times the most likely are left out
  double repetition_penalty = 1;
  uint64_t seed = 0;
};

class Sampler {
 public:
  // A token that may be chosen; weights are in proportion to probabilities.
  struct Candidate {
    uint32_t id;
    float weight;
  };

  // BadValue for a number outside its range, with the path `options.<name>`.
  [[nodiscard]] static Result<Sampler> create(const SamplerOptions& options);

  // One of the ids 0 … logits.size()-1; `so_far` are prompt and output. The logits are finite.
  [[nodiscard]] uint32_t pick(std::span<const float> logits, std::span<const uint32_t> so_far);

 private:
  explicit Sampler(const SamplerOptions& options) : options_(options), random_(options.seed) {}

  void penalize(std::span<const uint32_t> so_far);
  void weigh();
  void keep_likely();
  void keep_top_p();
  [[nodiscard]] double sum_of_weights() const;
  [[nodiscard]] uint32_t draw();

  SamplerOptions options_;
  Random random_;
  std::vector<float> logits_;
  std::vector<bool> seen_;
  std::vector<Candidate> candidates_;
};

}  // namespace ambry::infer
