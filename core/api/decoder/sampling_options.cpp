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

Result<void> read_logit_bias(const Json& json, uint32_t n_tokens,
                             std::vector<infer::LogitBias>& biases) {
  const Json* given = json.find("logitBias");
  if (given == nullptr || given->is_null()) return {};
  if (!given->is_object()) return bad_option("logitBias", "must be an object of numbers by id");
  for (const auto& [key, value] : given->members()) {
    AMBRY_TRY(const uint32_t id, read_id(key, n_tokens));
    const bool bans = value.is_bool() && !value.boolean();
    if (!bans && !value.is_number()) {
      return bad_option("logitBias", {"must be a number, or false for a ban, for the id ", id});
    }
    biases.push_back({.id = id, .bias = bans ? kBan : value.number()});
  }
  return {};
}

Result<void> ban_ends(const Json& json, const text::Tokenizer* tokenizer,
                      std::vector<infer::LogitBias>& biases) {
  AMBRY_TRY(const bool ignored, read_bool(json, "ignoreEos", false));
  if (!ignored || tokenizer == nullptr) return {};
  for (const uint32_t id : tokenizer->end_ids()) biases.push_back({id, kBan});
  return {};
}

Result<std::vector<std::string>> read_breakers(const Json& json) {
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

Result<void> read_dry(const Json& json, const generate::Generator& runtime,
                      infer::DryOptions& dry) {
  AMBRY_TRY(dry.allowed_length, read_count(json, "dryAllowedLength", 2));
  AMBRY_TRY(dry.last_n, read_last_n(json, "dryPenaltyLastN", -1));
  AMBRY_TRY(std::vector<std::string> texts, read_breakers(json));
  const Json* given = json.find("drySequenceBreakers");
  if ((given == nullptr || given->is_null()) && runtime.tokenizer) {
    texts.assign(std::begin(kDefaultBreakers), std::end(kDefaultBreakers));
  }
  if (dry.multiplier == 0 || texts.empty()) return {};
  AMBRY_TRY(const text::Tokenizer* tokenizer, need_tokenizer(runtime));
  AMBRY_TRY(dry.breakers, infer::breaker_sequences(*tokenizer, texts));
  return {};
}

struct NumberOption {
  const char* name;
  double fallback;
  double* value;
};

Result<void> read_numbers(const Json& json, infer::SamplerOptions& sampler) {
  const NumberOption options[] = {
      {"repetitionPenalty", 1, &sampler.penalties.repetition},
      {"frequencyPenalty", 0, &sampler.penalties.frequency},
      {"presencePenalty", 0, &sampler.penalties.presence},
      {"dryMultiplier", 0, &sampler.dry.multiplier},
      {"dryBase", 1.75, &sampler.dry.base},
      {"topNSigma", 0, &sampler.top_n_sigma},
      {"typicalP", 1, &sampler.typical_p},
      {"topP", 0.9, &sampler.top_p},
      {"minP", 0, &sampler.min_p},
      {"xtcProbability", 0, &sampler.xtc.probability},
      {"xtcThreshold", 0.1, &sampler.xtc.threshold},
      {"temperature", 0.8, &sampler.temperature},
      {"dynatempRange", 0, &sampler.dynamic_temperature.range},
      {"dynatempExponent", 1, &sampler.dynamic_temperature.exponent},
      {"mirostatTau", 5, &sampler.mirostat.tau},
      {"mirostatEta", 0.1, &sampler.mirostat.eta},
  };
  for (const auto& [name, fallback, value] : options) {
    AMBRY_TRY(*value, read_number(json, name, fallback));
  }
  return {};
}

}  // namespace

Result<infer::SamplerOptions> read_sampling(const Json& json, const generate::Generator& runtime) {
  infer::SamplerOptions sampler;
  AMBRY_RETURN_IF_ERROR(read_numbers(json, sampler));
  AMBRY_RETURN_IF_ERROR(read_logit_bias(json, runtime.decoder.n_tokens(), sampler.logit_bias));
  AMBRY_RETURN_IF_ERROR(ban_ends(json, runtime.tokenizer.get(), sampler.logit_bias));
  AMBRY_TRY(sampler.penalties.last_n, read_last_n(json, "penaltyLastN", -1));
  AMBRY_RETURN_IF_ERROR(read_dry(json, runtime, sampler.dry));
  AMBRY_TRY(sampler.top_k, read_top_k(json));
  AMBRY_TRY(sampler.min_keep, read_count(json, "minKeep", 0));
  AMBRY_TRY(sampler.mirostat.version, read_count(json, "mirostat", 0));
  AMBRY_TRY(sampler.seed, read_count(json, "seed", 0));
  return sampler;
}

}  // namespace ambry::api
