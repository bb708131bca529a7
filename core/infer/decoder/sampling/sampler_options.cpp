#include "infer/decoder/sampling/sampler_options.h"

#include <cmath>

namespace ambry::infer {
namespace {

#define AMBRY_OFFSET(member) offsetof(SamplerOptions, member)

constexpr NumberOption kNumbers[] = {
    {"repetitionPenalty", AMBRY_OFFSET(penalties.repetition), 1, 1e-3, 1e3, "0.001 … 1000"},
    {"frequencyPenalty", AMBRY_OFFSET(penalties.frequency), 0, -1e3, 1e3, "-1000 … 1000"},
    {"presencePenalty", AMBRY_OFFSET(penalties.presence), 0, -1e3, 1e3, "-1000 … 1000"},
    {"dryMultiplier", AMBRY_OFFSET(dry.multiplier), 0, 0, 1e3, "0 … 1000"},
    {"dryBase", AMBRY_OFFSET(dry.base), 1.75, 1, 1e3, "1 … 1000"},
    {"topNSigma", AMBRY_OFFSET(top_n_sigma), 0, 0, 1e3, "0 … 1000"},
    {"typicalP", AMBRY_OFFSET(typical_p), 1, 0, 1, "0 … 1"},
    {"topP", AMBRY_OFFSET(top_p), 0.9, 0, 1, "0 … 1"},
    {"minP", AMBRY_OFFSET(min_p), 0, 0, 1, "0 … 1"},
    {"xtcProbability", AMBRY_OFFSET(xtc.probability), 0, 0, 1, "0 … 1"},
    {"xtcThreshold", AMBRY_OFFSET(xtc.threshold), 0.1, 0, 1, "0 … 1"},
    {"temperature", AMBRY_OFFSET(temperature), 0.8, 0, 1e6, "0 … 1000000"},
    {"dynatempRange", AMBRY_OFFSET(dynamic_temperature.range), 0, 0, 1e6, "0 … 1000000"},
    {"dynatempExponent", AMBRY_OFFSET(dynamic_temperature.exponent), 1, 0, 1e3, "0 … 1000"},
    {"mirostatTau", AMBRY_OFFSET(mirostat.tau), 5, 0, 1e3, "0 … 1000"},
    {"mirostatEta", AMBRY_OFFSET(mirostat.eta), 0.1, 0, 1e3, "0 … 1000"},
};
#undef AMBRY_OFFSET

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

double& NumberOption::in(SamplerOptions& options) const {
  return *reinterpret_cast<double*>(reinterpret_cast<uint8_t*>(&options) + offset);
}

double NumberOption::in(const SamplerOptions& options) const {
  return *reinterpret_cast<const double*>(reinterpret_cast<const uint8_t*>(&options) + offset);
}

std::span<const NumberOption> number_options() { return kNumbers; }

SamplerOptions usual_sampling() {
  SamplerOptions options;
  for (const NumberOption& number : kNumbers) number.in(options) = number.fallback;
  return options;
}

Result<void> check(const SamplerOptions& options) {
  for (const NumberOption& number : kNumbers) {
    const double value = number.in(options);
    // Written so that NaN is out of range.
    if (!(value >= number.low && value <= number.high)) {
      return out_of_range(number.name, number.range);
    }
  }
  if (options.mirostat.version > 2) return out_of_range("mirostat", "0, 1 or 2");
  if (options.dry.allowed_length == 0)
    return out_of_range("dryAllowedLength", "an integer of 1 or more");
  AMBRY_RETURN_IF_ERROR(check_last_n("penaltyLastN", options.penalties.last_n));
  AMBRY_RETURN_IF_ERROR(check_last_n("dryPenaltyLastN", options.dry.last_n));
  return check_bias(options.logit_bias);
}

}  // namespace ambry::infer
