// The tokens that may still be drawn, and their probabilities.
#pragma once

#include <cstdint>
#include <vector>

namespace ambry::infer {

// Weights are proportional to probabilities.
struct Candidate {
  uint32_t id = 0;
  float logit = 0;
  float weight = 0;
};

using Candidates = std::vector<Candidate>;

// Orders tokens: the likeliest first, and the lowest id first among equally likely ones.
[[nodiscard]] inline bool is_likelier(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
}

// Weighs each token by e^(logit / temperature). The most likely one has weight 1. `temperature`
// must be above 0.
void weigh(Candidates& candidates, double temperature);

[[nodiscard]] float highest_logit(const Candidates& candidates);

[[nodiscard]] double sum_of_weights(const Candidates& candidates);

// -Σ p ln p, of candidates that are weighed with temperature 1.
[[nodiscard]] double entropy(const Candidates& candidates);

// The `k` most likely ones, most likely first. All of them if there are fewer.
[[nodiscard]] Candidates likeliest(const Candidates& candidates, uint64_t k);

}  // namespace ambry::infer
