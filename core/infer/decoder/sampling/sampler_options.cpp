#include "infer/decoder/sampling/sampler_options.h"

#include <cmath>

namespace ambry::infer {
namespace {

struct Range {
  const char* name;
  double value;
  double low;
  double high;
  const char* text;
};

Failure out_of_range(const char* name, const char* range) {
  return make_error(ErrorCode::BadValue, {"options.", name}, {"must be ", range});
}

Result<void> check_bias(const std::vector<LogitBias>& biases) {
  for (const auto& [id, bias] : biases) {
    const bool bans = std::isinf(bias) && bias < 0;
    if (!bans && !(std::abs(bias) <= 1e6)) return out_of_range("logitBias", "-1000000 … 1000000");
  }
  return {};
}

Result<void> check_last_n(const char* name, int64_t last_n) {
  if (last_n >= kAllTokens) return {};
  return out_of_range(name, "an integer of 0 or more, or -1 for all tokens");
}

}  // namespace

Result<void> check(const SamplerOptions& options) {
  const auto& [repetition, frequency, presence, last_n] = options.penalties;
  const DryOptions& dry = options.dry;
  const Range ranges[] = {
      {"repetitionPenalty", repetition, 1e-3, 1e3, "0.001 … 1000"},
      {"frequencyPenalty", frequency, -1e3, 1e3, "-1000 … 1000"},
      {"presencePenalty", presence, -1e3, 1e3, "-1000 … 1000"},
      {"dryMultiplier", dry.multiplier, 0, 1e3, "0 … 1000"},
      {"dryBase", dry.base, 1, 1e3, "1 … 1000"},
      {"topNSigma", options.top_n_sigma, 0, 1e3, "0 … 1000"},
      {"typicalP", options.typical_p, 0, 1, "0 … 1"},
      {"topP", options.top_p, 0, 1, "0 … 1"},
      {"minP", options.min_p, 0, 1, "0 … 1"},
      {"xtcProbability", options.xtc.probability, 0, 1, "0 … 1"},
      {"xtcThreshold", options.xtc.threshold, 0, 1, "0 … 1"},
      {"temperature", options.temperature, 0, 1e6, "0 … 1000000"},
      {"dynatempRange", options.dynamic_temperature.range, 0, 1e6, "0 … 1000000"},
      {"dynatempExponent", options.dynamic_temperature.exponent, 0, 1e3, "0 … 1000"},
      {"mirostatTau", options.mirostat.tau, 0, 1e3, "0 … 1000"},
      {"mirostatEta", options.mirostat.eta, 0, 1e3, "0 … 1000"},
  };
  for (const auto& [name, value, low, high, text] : ranges) {
    // Written so that NaN is out of range.
    if (!(value >= low && value <= high)) return out_of_range(name, text);
  }
  if (options.mirostat.version > 2) return out_of_range("mirostat", "0, 1 or 2");
  if (dry.allowed_length == 0) return out_of_range("dryAllowedLength", "an integer of 1 or more");
  AMBRY_RETURN_IF_ERROR(check_last_n("penaltyLastN", last_n));
  AMBRY_RETURN_IF_ERROR(check_last_n("dryPenaltyLastN", dry.last_n));
  return check_bias(options.logit_bias);
}

}  // namespace ambry::infer
