#include "infer/decoder/sampling/penalties.h"

#include <algorithm>
#include <utility>

namespace ambry::infer {

std::span<const uint32_t> last_tokens(std::span<const uint32_t> so_far, int64_t n) {
  if (n < 0) return so_far;
  const auto most = static_cast<uint64_t>(n);
  return so_far.last(static_cast<size_t>(std::min<uint64_t>(most, so_far.size())));
}

bool Penalties::is_on() const {
  const auto& [repetition, frequency, presence, last_n] = options_;
  return last_n != 0 && (repetition != 1 || frequency != 0 || presence != 0);
}

void Penalties::apply(std::span<float> logits, std::span<const uint32_t> so_far) {
  const auto repetition = static_cast<float>(options_.repetition);
  const std::span<const uint32_t> window = last_tokens(so_far, options_.last_n);
  counts_.resize(logits.size());
  for (const uint32_t id : window) {
    if (id < logits.size()) ++counts_[id];
  }
  for (const uint32_t id : window) {
    const uint32_t count = id < logits.size() ? std::exchange(counts_[id], 0U) : 0;
    if (count == 0) continue;
    float& logit = logits[id];
    logit = logit > 0 ? logit / repetition : logit * repetition;
    logit -= static_cast<float>(count * options_.frequency + options_.presence);
  }
}

}  // namespace ambry::infer
