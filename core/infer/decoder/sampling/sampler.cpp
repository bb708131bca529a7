#include "infer/decoder/sampling/sampler.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "infer/decoder/sampling/natural_log.h"
#include "infer/decoder/sampling/truncation.h"
#include "kernels/activation/exp.h"
#include "simd/scalar.h"

namespace ambry::infer {
namespace {

constexpr float kBanned = -std::numeric_limits<float>::infinity();

uint32_t most_likely_id(std::span<const float> logits) {
  size_t best = 0;
  for (size_t i = 1; i < logits.size(); ++i) best = logits[best] < logits[i] ? i : best;
  return static_cast<uint32_t>(best);
}

void ban_others(std::span<float> logits, std::span<const uint64_t> allowed) {
  for (size_t id = 0; id < logits.size(); ++id) {
    const uint64_t word = id / 64 < allowed.size() ? allowed[id / 64] : 0;
    if ((word >> (id % 64) & 1) == 0) logits[id] = kBanned;
  }
}

Failure none_left() {
  return make_error(ErrorCode::BadValue, "options.logitBias",
                    "bans every token that may come next; leave one of them");
}

}  // namespace

Sampler::Sampler(SamplerOptions options)
    : options_(std::move(options)),
      penalties_(options_.penalties),
      dry_(std::move(options_.dry)),
      random_(options_.seed) {
  if (options_.mirostat.version > 0) mirostat_.emplace(options_.mirostat);
}

Result<Sampler> Sampler::create(SamplerOptions options) {
  AMBRY_RETURN_IF_ERROR(check(options));
  return Sampler(std::move(options));
}

Result<uint32_t> Sampler::pick(std::span<const float> logits, std::span<const uint32_t> so_far,
                               std::span<const uint64_t> allowed) {
  assert(!logits.empty());
  const std::span<const float> final_logits = adjusted(logits, so_far, allowed);
  if (options_.temperature == 0) {
    const uint32_t id = most_likely_id(final_logits);
    return final_logits[id] == kBanned ? Result<uint32_t>(none_left()) : Result<uint32_t>(id);
  }
  collect(final_logits);
  if (candidates_.empty()) return none_left();
  if (mirostat_) {
    const double heat = temperature();
    weigh(candidates_, heat);
    mirostat_->keep(candidates_, heat, logits.size());
  } else {
    truncate();
    weigh(candidates_, temperature());
  }
  return draw();
}

// The logits after biases, penalties and bans. They are copied only if something changes them.
std::span<const float> Sampler::adjusted(std::span<const float> logits,
                                         std::span<const uint32_t> so_far,
                                         std::span<const uint64_t> allowed) {
  const bool changes = !options_.logit_bias.empty() || penalties_.is_on() || dry_.is_on();
  if (!changes && allowed.empty()) return logits;
  logits_.assign(logits.begin(), logits.end());
  for (const auto& [id, bias] : options_.logit_bias) {
    if (id < logits_.size()) logits_[id] += static_cast<float>(bias);
  }
  if (penalties_.is_on()) penalties_.apply(logits_, so_far);
  if (dry_.is_on()) dry_.apply(logits_, so_far);
  if (!allowed.empty()) ban_others(logits_, allowed);
  return logits_;
}

void Sampler::collect(std::span<const float> logits) {
  candidates_.clear();
  for (size_t id = 0; id < logits.size(); ++id) {
    if (logits[id] != kBanned) candidates_.push_back({static_cast<uint32_t>(id), logits[id], 0});
  }
}

void Sampler::truncate() {
  const auto& [probability, threshold] = options_.xtc;
  const uint64_t min_keep = options_.min_keep;
  keep_top_n_sigma(candidates_, options_.top_n_sigma);
  keep_top_k(candidates_, options_.top_k);
  const bool by_weight =
      options_.typical_p < 1 || options_.top_p < 1 || options_.min_p > 0 || probability > 0;
  if (!by_weight) return;
  weigh(candidates_, 1);
  keep_typical(candidates_, options_.typical_p, min_keep);
  keep_top_p(candidates_, options_.top_p, min_keep);
  keep_min_p(candidates_, options_.min_p, min_keep);
  if (probability > 0 && candidates_.size() > 1 && random_share() < probability) {
    leave_out_top_choices(candidates_, threshold, min_keep);
  }
}

double Sampler::temperature() {
  const auto& [range, exponent] = options_.dynamic_temperature;
  const double middle = options_.temperature;
  if (range == 0 || candidates_.size() < 2) return middle;
  weigh(candidates_, 1);
  const double share = entropy(candidates_) / natural_log(static_cast<double>(candidates_.size()));
  const double power =
      share > 0 ? kernels::exp<simd::Scalar>(static_cast<float>(exponent * natural_log(share))) : 0;
  const double low = std::max(0.0, middle - range);
  constexpr double kLeast = 1e-30;  // a temperature must not be 0
  return std::max(low + (middle + range - low) * power, kLeast);
}

// From 0 to just below 1.
double Sampler::random_share() {
  constexpr double kUnit = 0x1p-53;  // of the highest 53 bits
  return static_cast<double>(random_.next() >> 11) * kUnit;
}

uint32_t Sampler::draw() {
  const double total = sum_of_weights(candidates_);
  double left = random_share() * total;
  const Candidate* drawn = nullptr;
  for (const Candidate& candidate : candidates_) {
    if (candidate.weight == 0) continue;
    drawn = &candidate;  // the last one, if rounding leaves a remainder
    left -= candidate.weight;
    if (left < 0) break;
  }
  if (mirostat_) mirostat_->learn(drawn->weight / total);
  return drawn->id;
}

}  // namespace ambry::infer
