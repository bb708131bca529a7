#include "api/decoder/sampling_options.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/call/options.h"
#include "api/decoder/prompt.h"
#include "infer/decoder/sampling/dry_breakers.h"

namespace ambry::api {
namespace {

using io::Json;

constexpr double kBan = -std::numeric_limits<double>::infinity();
constexpr const char* kDefaultBreakers[] = {"\n", ":", "\"", "*"};
constexpr size_t kMostBreakers = 100;
constexpr size_t kMostBreakerBytes = 40;

Result<uint32_t> read_top_k(const Json& json) {
  AMBRY_TRY(const uint64_t top_k, read_count(json, "topK", 0));
  return static_cast<uint32_t>(std::min<uint64_t>(top_k, UINT32_MAX));
}

Result<int64_t> read_last_n(const Json& json, std::string_view name, int64_t fallback) {
  const Json* value = json.find(name);
  if (value != nullptr && value->kind() == Json::Kind::Int && value->integer() == -1) return -1;
  if (value == nullptr || value->is_null()) return fallback;
  if (!value->is_uint()) return bad_option(name, "must be an integer of 0 or more, or -1 for all");
  return static_cast<int64_t>(std::min<uint64_t>(value->uint(), INT64_MAX));
}

// Decimal digits, as JavaScript writes the keys of an object.
Result<uint32_t> read_id(std::string_view text, uint32_t n_tokens) {
  uint32_t id = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (problem != std::errc() || end != text.data() + text.size() || id >= n_tokens) {
    return bad_option("logitBias",
                      {"must have token ids below ", n_tokens, ", not \"", text, "\""});
  }
  return id;
}

Result<std::vector<infer::LogitBias>> read_logit_bias(const Json& json, uint32_t n_tokens) {
  std::vector<infer::LogitBias> biases;
  const Json* given = json.find("logitBias");
  if (given == nullptr || given->is_null()) return biases;
  if (!given->is_object()) return bad_option("logitBias", "must be an object of numbers by id");
  for (const auto& [key, value] : given->members()) {
    AMBRY_TRY(const uint32_t id, read_id(key, n_tokens));
    const bool bans = value.is_bool() && !value.boolean();
    if (!bans && !value.is_number()) {
      return bad_option("logitBias", {"must be a number, or false for a ban, for the id ", id});
    }
    biases.push_back({.id = id, .bias = bans ? kBan : value.number()});
  }
  return biases;
}

Result<void> ban_ends(const Json& json, const GeneratorRuntime& runtime,
                      std::vector<infer::LogitBias>& biases) {
  AMBRY_TRY(const bool ignored, read_bool(json, "ignoreEos", false));
  if (!ignored || !runtime.tokenizer) return {};
  for (const uint32_t id : runtime.tokenizer->end_ids()) biases.push_back({id, kBan});
  return {};
}

Result<std::vector<std::string>> read_breakers(const Json& json) {
  const Json* given = json.find("drySequenceBreakers");
  if (given == nullptr || given->is_null()) {
    return std::vector<std::string>(std::begin(kDefaultBreakers), std::end(kDefaultBreakers));
  }
  AMBRY_TRY(std::vector<std::string> texts, read_texts(json, "drySequenceBreakers"));
  if (texts.size() > kMostBreakers) {
    return bad_option("drySequenceBreakers", {"must be at most ", uint64_t{kMostBreakers}});
  }
  for (const std::string& text : texts) {
    if (!text.empty() && text.size() <= kMostBreakerBytes) continue;
    return bad_option("drySequenceBreakers",
                      {"must have 1 to ", uint64_t{kMostBreakerBytes}, " bytes each"});
  }
  return texts;
}

Result<infer::DryOptions> read_dry(const Json& json, const GeneratorRuntime& runtime) {
  infer::DryOptions dry;
  AMBRY_TRY(dry.multiplier, read_number(json, "dryMultiplier", 0));
  AMBRY_TRY(dry.base, read_number(json, "dryBase", 1.75));
  AMBRY_TRY(dry.allowed_length, read_count(json, "dryAllowedLength", 2));
  AMBRY_TRY(dry.last_n, read_last_n(json, "dryPenaltyLastN", -1));
  AMBRY_TRY(const std::vector<std::string> texts, read_breakers(json));
  if (dry.multiplier == 0 || texts.empty()) return dry;
  const Json* given = json.find("drySequenceBreakers");
  const bool is_default = given == nullptr || given->is_null();
  if (is_default && !runtime.tokenizer) return dry;
  AMBRY_TRY(const text::Tokenizer* tokenizer, need_tokenizer(runtime));
  AMBRY_TRY(dry.breakers, infer::breaker_sequences(*tokenizer, texts));
  return dry;
}

Result<infer::PenaltyOptions> read_penalties(const Json& json) {
  infer::PenaltyOptions penalties;
  AMBRY_TRY(penalties.last_n, read_last_n(json, "penaltyLastN", -1));
  AMBRY_TRY(penalties.repetition, read_number(json, "repetitionPenalty", 1));
  AMBRY_TRY(penalties.frequency, read_number(json, "frequencyPenalty", 0));
  AMBRY_TRY(penalties.presence, read_number(json, "presencePenalty", 0));
  return penalties;
}

Result<void> read_truncation(const Json& json, infer::SamplerOptions& sampler) {
  AMBRY_TRY(sampler.top_n_sigma, read_number(json, "topNSigma", 0));
  AMBRY_TRY(sampler.top_k, read_top_k(json));
  AMBRY_TRY(sampler.typical_p, read_number(json, "typicalP", 1));
  AMBRY_TRY(sampler.top_p, read_number(json, "topP", 0.9));
  AMBRY_TRY(sampler.min_p, read_number(json, "minP", 0));
  AMBRY_TRY(sampler.min_keep, read_count(json, "minKeep", 0));
  AMBRY_TRY(sampler.xtc.probability, read_number(json, "xtcProbability", 0));
  AMBRY_TRY(sampler.xtc.threshold, read_number(json, "xtcThreshold", 0.1));
  return {};
}

Result<void> read_mirostat(const Json& json, infer::MirostatOptions& mirostat) {
  AMBRY_TRY(mirostat.version, read_count(json, "mirostat", 0));
  AMBRY_TRY(mirostat.tau, read_number(json, "mirostatTau", 5));
  AMBRY_TRY(mirostat.eta, read_number(json, "mirostatEta", 0.1));
  return {};
}

}  // namespace

Result<infer::SamplerOptions> read_sampling(const Json& json, const GeneratorRuntime& runtime) {
  infer::SamplerOptions sampler;
  AMBRY_TRY(sampler.logit_bias, read_logit_bias(json, runtime.decoder.n_tokens()));
  AMBRY_RETURN_IF_ERROR(ban_ends(json, runtime, sampler.logit_bias));
  AMBRY_TRY(sampler.penalties, read_penalties(json));
  AMBRY_TRY(sampler.dry, read_dry(json, runtime));
  AMBRY_RETURN_IF_ERROR(read_truncation(json, sampler));
  AMBRY_TRY(sampler.temperature, read_number(json, "temperature", 0.8));
  AMBRY_TRY(sampler.dynamic_temperature.range, read_number(json, "dynatempRange", 0));
  AMBRY_TRY(sampler.dynamic_temperature.exponent, read_number(json, "dynatempExponent", 1));
  AMBRY_RETURN_IF_ERROR(read_mirostat(json, sampler.mirostat));
  AMBRY_TRY(sampler.seed, read_count(json, "seed", 0));
  return sampler;
}

}  // namespace ambry::api
