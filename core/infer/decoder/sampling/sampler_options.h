// The options of a sampler. The steps that they control, and their order: ../README.md#sampling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace ambry::infer {

// For the options that say how many of the last tokens count: all tokens of prompt and answer.
inline constexpr int64_t kAllTokens = -1;

// Added to the logit of a token. Minus infinity bans the token.
struct LogitBias {
  uint32_t id = 0;
  double bias = 0;
};

struct PenaltyOptions {
  double repetition = 1;        // divides logits above 0 and multiplies others, once for each token
  double frequency = 0;         // subtracted for each occurrence
  double presence = 0;          // subtracted once
  int64_t last_n = kAllTokens;  // the number of last tokens that count
};

// DRY ("don't repeat yourself") by p-e-w: a penalty for a token that would continue a sequence that
// occurred before.
struct DryOptions {
  double multiplier = 0;        // 0: off
  double base = 1.75;           // the penalty is multiplier * base^(length - allowed_length)
  uint64_t allowed_length = 2;  // shorter repeated sequences have no penalty
  int64_t last_n = kAllTokens;
  // Sequences of ids over which no repeated sequence reaches. None is empty.
  std::vector<std::vector<uint32_t>> breakers;
};

// XTC ("exclude top choices") by p-e-w.
struct XtcOptions {
  double probability = 0;  // of leaving tokens out; 0: never
  double threshold = 0.1;  // of the tokens with at least this probability only the last one stays
};

// Temperatures from temperature - range to temperature + range, by the entropy of the candidates.
struct DynamicTemperatureOptions {
  double range = 0;  // 0: always the same temperature
  double exponent = 1;
};

// Mirostat by S. Basu et al. (2020) holds the surprise of the tokens near `tau`.
struct MirostatOptions {
  uint64_t version = 0;  // 0: off; 1 or 2
  double tau = 5;        // bits
  double eta = 0.1;      // the learning rate
};

struct SamplerOptions {
  std::vector<LogitBias> logit_bias;
  PenaltyOptions penalties;
  DryOptions dry;
  double top_n_sigma = 0;  // keeps logits within this many standard deviations of the top; 0: all
  uint32_t top_k = 0;      // 0: all
  double typical_p = 1;    // keeps the most typical tokens that have this probability in total
  double top_p = 1;        // keeps the most likely tokens that have this probability in total
  double min_p = 0;        // drops tokens less likely than this times the most likely one
  uint64_t min_keep = 0;   // typical_p, top_p, min_p and XTC keep at least this many
  XtcOptions xtc;
  double temperature = 0.8;  // 0: the most likely token; of equally likely ones the lowest id
  DynamicTemperatureOptions dynamic_temperature;
  MirostatOptions mirostat;
  uint64_t seed = 0;
};

// An option that is a number, with its public name.
struct NumberOption {
  const char* name;
  size_t offset;    // in SamplerOptions
  double fallback;  // where a caller says nothing
  double low;
  double high;
  const char* range;  // low and high, for messages

  [[nodiscard]] double& in(SamplerOptions& options) const;
  [[nodiscard]] double in(const SamplerOptions& options) const;
};
[[nodiscard]] std::span<const NumberOption> number_options();

// The options of a caller who says nothing.
[[nodiscard]] SamplerOptions usual_sampling();

// BadValue for an option out of range, with the path `options.<name>` of GenerateOptions.
[[nodiscard]] Result<void> check(const SamplerOptions& options);

}  // namespace ambry::infer
