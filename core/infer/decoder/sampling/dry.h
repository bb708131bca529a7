// DRY: lowers the logit of a token that would continue a sequence that occurred before, the more
// the longer the sequence is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/decoder/sampling/sampler_options.h"

namespace ambry::infer {

class DryPenalty {
 public:
  explicit DryPenalty(DryOptions options);

  // Whether apply() changes anything.
  [[nodiscard]] bool is_on() const;
  // Ids in `so_far` beyond the logits are ignored. Takes time in proportion to the tokens that
  // count.
  void apply(std::span<float> logits, std::span<const uint32_t> so_far);

 private:
  // The number of tokens after the last breaker.
  [[nodiscard]] size_t reach(std::span<const uint32_t> tokens) const;
  [[nodiscard]] bool breaks_alone(uint32_t id) const;
  void measure_repeats(std::span<const uint32_t> tokens);
  [[nodiscard]] double penalty_of(size_t length) const;

  DryOptions options_;             // breakers are sorted
  std::vector<uint32_t> repeats_;  // as measure_repeats() says
  std::vector<uint32_t> longest_;  // by id; all 0 between two calls
};

}  // namespace ambry::infer
