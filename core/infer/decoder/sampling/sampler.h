// Samples the next token (../README.md#sampling): a penalty for tokens that occurred, once for each
// distinct one, then temperature, top-k, top-p and min-p. The same seed and logits give the same
// ids in every build, because all arithmetic is scalar and in a fixed order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/result.h"

namespace ambry::infer {

struct SamplerOptions {
  double temperature =
      0.8;             // 0: always the most likely token; of equally likely ones the lowest id
  uint32_t top_k = 0;  // 0: all
  double top_p = 1;    // keeps the most likely tokens that have this probability in total
  double min_p = 0;    // drops tokens less likely than this times the most likely one
  double repetition_penalty = 1;
  uint64_t seed = 0;
};

class Sampler {
 public:
  // A token that may be sampled. Weights are proportional to probabilities.
  struct Candidate {
    uint32_t id;
    float weight;
  };

  // BadValue for an option out of range, with the path `options.<name>`.
  [[nodiscard]] static Result<Sampler> create(const SamplerOptions& options);

  // Returns an id from 0 to logits.size()-1. `so_far` is the prompt and the output. The logits must
  // be finite.
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
