#include "infer/decoder/sampling/candidates.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/top_k.h"
#include "infer/decoder/sampling/natural_log.h"
#include "kernels/activation/exp.h"
#include "simd/scalar.h"

namespace ambry::infer {

float highest_logit(const Candidates& candidates) {
  float highest = -std::numeric_limits<float>::infinity();
  for (const Candidate& candidate : candidates) highest = std::max(highest, candidate.logit);
  return highest;
}

void weigh(Candidates& candidates, double temperature) {
  assert(temperature > 0);
  const double top = highest_logit(candidates);
  for (Candidate& candidate : candidates) {
    const double scaled = (candidate.logit - top) / temperature;
    candidate.weight = kernels::exp<simd::Scalar>(static_cast<float>(std::max(scaled, -1e4)));
  }
}

double sum_of_weights(const Candidates& candidates) {
  double sum = 0;
  for (const Candidate& candidate : candidates) sum += candidate.weight;
  return sum;
}

double entropy(const Candidates& candidates) {
  // -ln p = ln Σw - (logit - top)
  const double top = highest_logit(candidates);
  double sum = 0;
  double weighted = 0;
  for (const Candidate& candidate : candidates) {
    sum += candidate.weight;
    weighted += candidate.weight * (candidate.logit - top);
  }
  return natural_log(sum) - weighted / sum;
}

Candidates likeliest(const Candidates& candidates, uint64_t k) {
  const auto most = static_cast<size_t>(std::min<uint64_t>(k, candidates.size()));
  TopK<Candidate, decltype(&is_likelier)> best(most, is_likelier);
  for (const Candidate& candidate : candidates) best.offer(candidate);
  return best.take();
}

}  // namespace ambry::infer
