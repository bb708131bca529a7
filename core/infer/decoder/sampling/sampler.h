// Samples the next token by the steps of ../README.md#sampling. The same seed and logits give the
// same ids in every build, because all arithmetic is scalar and in a fixed order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "infer/decoder/sampling/candidates.h"
#include "infer/decoder/sampling/dry.h"
#include "infer/decoder/sampling/mirostat.h"
#include "infer/decoder/sampling/penalties.h"
#include "infer/decoder/sampling/sampler_options.h"

namespace ambry::infer {

class Sampler {
 public:
  // BadValue for an option out of range, with the path `options.<name>`.
  [[nodiscard]] static Result<Sampler> create(SamplerOptions options);

  // Returns an id from 0 to logits.size()-1. `so_far` is the prompt and the output. The logits must
  // be finite. `allowed` says which ids may come: bit id % 64 of word id / 64, and ids beyond its
  // words may not. An empty one allows all. BadValue with the path `options.logitBias` when no
  // token is left.
  [[nodiscard]] Result<uint32_t> pick(std::span<const float> logits,
                                      std::span<const uint32_t> so_far,
                                      std::span<const uint64_t> allowed = {});

  // The candidates of the last pick and the weights by which it drew. A temperature of 0 draws
  // nothing.
  [[nodiscard]] const Candidates& candidates() const { return candidates_; }

 private:
  explicit Sampler(SamplerOptions options);

  [[nodiscard]] std::span<const float> adjusted(std::span<const float> logits,
                                                std::span<const uint32_t> so_far,
                                                std::span<const uint64_t> allowed);
  void collect(std::span<const float> logits);
  void truncate();
  [[nodiscard]] double temperature();
  [[nodiscard]] double random_share();
  [[nodiscard]] uint32_t draw();

  SamplerOptions options_;
  Penalties penalties_;
  DryPenalty dry_;
  std::optional<Mirostat> mirostat_;
  Random random_;
  std::vector<float> logits_;
  Candidates candidates_;
};

}  // namespace ambry::infer
