#include "infer/decoder/token_probability.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/top_k.h"
#include "kernels/activation/exp.h"
#include "simd/scalar.h"

namespace ambry::infer {

double log_sum_exp(std::span<const float> logits) {
  assert(!logits.empty());
  const float top = *std::ranges::max_element(logits);
  double sum = 0;
  for (const float logit : logits) sum += kernels::exp<simd::Scalar>(logit - top);
  return top + std::log(sum);
}

double log_probability(std::span<const float> logits, uint32_t id) {
  assert(id < logits.size());
  return logits[id] - log_sum_exp(logits);
}

std::vector<TokenProbability> most_likely(std::span<const float> logits, size_t n) {
  const auto is_likelier = [&](uint32_t a, uint32_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  };
  TopK<uint32_t, decltype(is_likelier)> best(std::min(n, logits.size()), is_likelier);
  for (uint32_t id = 0; id < logits.size(); ++id) best.offer(id);
  const double all = log_sum_exp(logits);
  std::vector<TokenProbability> likely;
  for (const uint32_t id : best.take()) likely.push_back({id, logits[id] - all});
  return likely;
}

double Perplexity::value() const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  return std::exp(-sum_ / static_cast<double>(count_));
}

}  // namespace ambry::infer
