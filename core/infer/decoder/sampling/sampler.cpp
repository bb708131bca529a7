#include "infer/decoder/sampling/sampler.h"

#include <algorithm>
#include <cassert>

#include "base/order.h"
#include "base/top_k.h"
#include "kernels/activation/exp.h"
#include "simd/scalar.h"

namespace ambry::infer {
namespace {

using Candidate = Sampler::Candidate;

Failure bad(const char* name, const char* range) {
  return make_error(ErrorCode::BadValue, {"options.", name}, {"must be ", range});
}

uint32_t most_likely_id(std::span<const float> logits) {
  size_t best = 0;
  for (size_t i = 1; i < logits.size(); ++i) best = logits[best] < logits[i] ? i : best;
  return static_cast<uint32_t>(best);
}

// Ties are ordered by id.
bool is_likelier(const Candidate& a, const Candidate& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.id < b.id;
}

}  // namespace

Result<Sampler> Sampler::create(const SamplerOptions& options) {
  const auto within = [](double x, double low, double high) { return x >= low && x <= high; };
  if (!within(options.temperature, 0, 1e6)) return bad("temperature", "0 … 1000000");
  if (!within(options.top_p, 0, 1)) return bad("topP", "0 … 1");
  if (!within(options.min_p, 0, 1)) return bad("minP", "0 … 1");
  if (!within(options.repetition_penalty, 1e-3, 1e3)) {
    return bad("repetitionPenalty", "0.001 … 1000");
  }
  return Sampler(options);
}

uint32_t Sampler::pick(std::span<const float> logits, std::span<const uint32_t> so_far) {
  assert(!logits.empty());
  const bool penalized = options_.repetition_penalty != 1;
  if (options_.temperature == 0 && !penalized) return most_likely_id(logits);
  logits_.assign(logits.begin(), logits.end());
  if (penalized) penalize(so_far);
  if (options_.temperature == 0) return most_likely_id(logits_);
  weigh();
  keep_likely();
  return draw();
}

// Divides positive logits and multiplies negative ones, once for each token.
void Sampler::penalize(std::span<const uint32_t> so_far) {
  const auto penalty = static_cast<float>(options_.repetition_penalty);
  seen_.assign(logits_.size(), false);
  for (const uint32_t id : so_far) {
    if (id >= logits_.size() || seen_[id]) continue;
    seen_[id] = true;
    float& logit = logits_[id];
    logit = logit > 0 ? logit / penalty : logit * penalty;
  }
}

// Weights are proportional to probabilities; the most likely token has 1.
void Sampler::weigh() {
  const float top = logits_[most_likely_id(logits_)];
  candidates_.clear();
  for (size_t id = 0; id < logits_.size(); ++id) {
    const double scaled = (static_cast<double>(logits_[id]) - top) / options_.temperature;
    const float weight = kernels::exp<simd::Scalar>(static_cast<float>(std::max(scaled, -1e4)));
    if (weight > 0) candidates_.push_back({static_cast<uint32_t>(id), weight});
  }
}

void Sampler::keep_likely() {
  if (options_.top_k > 0 && options_.top_k < candidates_.size()) {
    TopK<Candidate, decltype(&is_likelier)> best(options_.top_k, is_likelier);
    for (const Candidate& candidate : candidates_) best.offer(candidate);
    candidates_ = best.take();
  }
  if (options_.top_p < 1) keep_top_p();
  if (options_.min_p > 0) {
    std::erase_if(candidates_, [&](const Candidate& c) { return c.weight < options_.min_p; });
  }
}

// Keeps the fewest tokens that have `top_p` of the probability.
void Sampler::keep_top_p() {
  const double total = sum_of_weights();
  const double enough = options_.top_p * total;
  // A token is dropped early if it and all less likely tokens together have less than the remaining
  // probability. Only few tokens are left to sort.
  const double hopeless = (total - enough) / static_cast<double>(candidates_.size());
  std::erase_if(candidates_, [&](const Candidate& c) { return c.weight < hopeless; });
  sort_items(candidates_, is_likelier);
  double sum = 0;
  size_t kept = 0;
  while (kept < candidates_.size() && (kept == 0 || sum < enough)) {
    sum += candidates_[kept++].weight;
  }
  candidates_.resize(kept);
}

double Sampler::sum_of_weights() const {
  double sum = 0;
  for (const Candidate& candidate : candidates_) sum += candidate.weight;
  return sum;
}

uint32_t Sampler::draw() {
  constexpr double kUnit = 0x1p-53;  // the highest 53 bits: from 0 to just below 1
  double left = static_cast<double>(random_.next() >> 11) * kUnit * sum_of_weights();
  for (const Candidate& candidate : candidates_) {
    left -= candidate.weight;
    if (left < 0) return candidate.id;
  }
  return candidates_.back().id;  // rounding left a remainder
}

}  // namespace ambry::infer
