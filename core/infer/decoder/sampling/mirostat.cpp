#include "infer/decoder/sampling/mirostat.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "infer/decoder/sampling/natural_log.h"
#include "infer/decoder/sampling/truncation.h"
#include "kernels/activation/exp.h"
#include "simd/scalar.h"

namespace ambry::infer {
namespace {

double exp_of(double x) {
  return kernels::exp<simd::Scalar>(static_cast<float>(std::clamp(x, -1e4, 1e4)));
}

// The exponent s of Zipf's law, p ~ rank^-s, which fits the most likely tokens best.
double zipf_exponent(const Candidates& ranked, double temperature) {
  double products = 0;
  double squares = 0;
  for (size_t i = 0; i + 1 < ranked.size(); ++i) {
    const double ranks = natural_log(static_cast<double>(i + 2) / static_cast<double>(i + 1));
    const double logits = static_cast<double>(ranked[i].logit) - ranked[i + 1].logit;
    products += ranks * logits / temperature;
    squares += ranks * ranks;
  }
  return squares > 0 ? products / squares : 0;
}

}  // namespace

void Mirostat::keep(Candidates& candidates, double temperature, size_t n_tokens) const {
  if (options_.version == 1) {
    const double k = top_k(candidates, temperature, n_tokens);
    if (k < static_cast<double>(candidates.size())) {
      keep_top_k(candidates, static_cast<uint64_t>(k));
    }
    return;
  }
  // A surprise of at most `limit_` bits is a probability of at least 2^-limit_.
  const double lowest = sum_of_weights(candidates) * exp_of(-limit_ * std::numbers::ln2);
  Candidates top = likeliest(candidates, 1);
  std::erase_if(candidates, [&](const Candidate& c) { return c.weight < lowest; });
  if (candidates.empty()) candidates = std::move(top);
}

// The number of tokens, from 1 on, that limits the expected surprise under Zipf's law.
double Mirostat::top_k(const Candidates& candidates, double temperature, size_t n_tokens) const {
  constexpr uint64_t kFitted = 100;
  const double s = zipf_exponent(likeliest(candidates, kFitted), temperature);
  if (s <= 0) return static_cast<double>(candidates.size());
  // At s = 1 the formula is 0 / 0, and near it the quotient of rounding errors.
  const double epsilon = std::abs(s - 1) < 1e-4 ? 1e-4 : s - 1;
  const double n_to_minus_epsilon = exp_of(-epsilon * natural_log(static_cast<double>(n_tokens)));
  const double base = epsilon / (1 - n_to_minus_epsilon);
  const double k = exp_of((natural_log(base) + limit_ * std::numbers::ln2) / s);
  return std::max(k, 1.0);
}

void Mirostat::learn(double probability) {
  const double surprise = -natural_log(probability) / std::numbers::ln2;
  limit_ -= options_.eta * (surprise - options_.tau);
}

}  // namespace ambry::infer
