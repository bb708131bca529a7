#include "infer/decoder/sampling/truncation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "infer/decoder/sampling/natural_log.h"
#include "infer/decoder/sampling/nearest.h"

namespace ambry::infer {
namespace {

// Sums of equal probabilities differ by the rounding of their weights. 0.4 + 0.3 reaches 0.7.
constexpr double kRounding = 1e-6;

}  // namespace

void keep_top_n_sigma(Candidates& candidates, double n) {
  if (n <= 0 || candidates.size() < 2) return;
  const auto count = static_cast<double>(candidates.size());
  double top = candidates.front().logit;
  double sum = 0;
  for (const Candidate& candidate : candidates) {
    top = std::max<double>(top, candidate.logit);
    sum += candidate.logit;
  }
  const double mean = sum / count;
  double squares = 0;
  for (const Candidate& candidate : candidates) {
    squares += (candidate.logit - mean) * (candidate.logit - mean);
  }
  const double lowest = top - n * std::sqrt(squares / count);
  std::erase_if(candidates, [&](const Candidate& c) { return c.logit < lowest; });
}

void keep_top_k(Candidates& candidates, uint64_t k) {
  if (k > 0 && k < candidates.size()) candidates = likeliest(candidates, k);
}

void keep_top_p(Candidates& candidates, double p, uint64_t min_keep) {
  if (p >= 1) return;
  const double total = sum_of_weights(candidates);
  const double enough = std::max(p - kRounding, 0.0) * total;
  // A token is dropped early if it and all less likely tokens together have less than the remaining
  // probability. Only few tokens are left to select from.
  const double hopeless = (total - enough) / static_cast<double>(candidates.size());
  if (min_keep <= 1) {
    std::erase_if(candidates, [&](const Candidate& c) { return c.weight < hopeless; });
  }
  keep_nearest(candidates, highest_logit(candidates), enough, min_keep);
}

void keep_typical(Candidates& candidates, double p, uint64_t min_keep) {
  if (p >= 1) return;
  const double total = sum_of_weights(candidates);
  // The logit of a token whose surprise is the entropy.
  const double center = highest_logit(candidates) + natural_log(total) - entropy(candidates);
  keep_nearest(candidates, center, p * total, min_keep);
}

void keep_min_p(Candidates& candidates, double p, uint64_t min_keep) {
  if (p <= 0) return;
  Candidates least = min_keep > 1 ? likeliest(candidates, min_keep) : Candidates();
  float top = 0;
  for (const Candidate& candidate : candidates) top = std::max(top, candidate.weight);
  const double lowest = p * top;
  std::erase_if(candidates, [&](const Candidate& c) { return c.weight < lowest; });
  if (candidates.size() < least.size()) candidates = std::move(least);
}

void leave_out_top_choices(Candidates& candidates, double threshold, uint64_t min_keep) {
  const double lowest = threshold * sum_of_weights(candidates);
  const Candidate* last = nullptr;
  size_t choices = 0;
  for (const Candidate& candidate : candidates) {
    if (candidate.weight < lowest) continue;
    ++choices;
    if (last == nullptr || is_likelier(*last, candidate)) last = &candidate;
  }
  if (choices < 2 || candidates.size() - choices + 1 < min_keep) return;
  const uint32_t stays = last->id;
  std::erase_if(candidates,
                [&](const Candidate& c) { return c.weight >= lowest && c.id != stays; });
}

}  // namespace ambry::infer
