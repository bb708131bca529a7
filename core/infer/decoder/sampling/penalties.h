// Lowers the logits of tokens that occurred before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/decoder/sampling/sampler_options.h"

namespace ambry::infer {

// The last `n` tokens, or all of them for kAllTokens.
[[nodiscard]] std::span<const uint32_t> last_tokens(std::span<const uint32_t> so_far, int64_t n);

class Penalties {
 public:
  explicit Penalties(const PenaltyOptions& options) : options_(options) {}

  // Whether apply() changes anything.
  [[nodiscard]] bool is_on() const;
  // Ids in `so_far` beyond the logits are ignored.
  void apply(std::span<float> logits, std::span<const uint32_t> so_far);

 private:
  PenaltyOptions options_;
  std::vector<uint32_t> counts_;  // by id; all 0 between two calls
};

}  // namespace ambry::infer
