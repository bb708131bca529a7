#include "api/decoder/generate_options_json.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/call/options.h"
#include "api/decoder/answer_format.h"
#include "api/tokenizer/token_lists.h"

namespace ambry::api {
namespace {

using io::Json;

constexpr double kBan = -std::numeric_limits<double>::infinity();

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

bool is_given(const Json* value) { return value != nullptr && !value->is_null(); }

Result<void> read_sampling(const Json& json, const generate::Generator& generator,
                           infer::SamplerOptions& sampler) {
  for (const infer::NumberOption& number : infer::number_options()) {
    AMBRY_TRY(number.in(sampler), read_number(json, number.name, number.fallback));
  }
  AMBRY_RETURN_IF_ERROR(read_logit_bias(json, generator.decoder.n_tokens(), sampler.logit_bias));
  AMBRY_TRY(sampler.penalties.last_n, read_last_n(json, "penaltyLastN", sampler.penalties.last_n));
  AMBRY_TRY(sampler.dry.allowed_length,
            read_count(json, "dryAllowedLength", sampler.dry.allowed_length));
  AMBRY_TRY(sampler.dry.last_n, read_last_n(json, "dryPenaltyLastN", sampler.dry.last_n));
  AMBRY_TRY(sampler.top_k, read_top_k(json));
  AMBRY_TRY(sampler.min_keep, read_count(json, "minKeep", sampler.min_keep));
  AMBRY_TRY(sampler.mirostat.version, read_count(json, "mirostat", sampler.mirostat.version));
  AMBRY_TRY(sampler.seed, read_count(json, "seed", sampler.seed));
  return {};
}

// The tokens with these texts, of those that there are.
Result<std::vector<uint32_t>> read_shown(const Json& json, const generate::Generator& generator) {
  AMBRY_TRY(const std::vector<std::string> texts, read_texts(json, "shown"));
  std::vector<uint32_t> ids;
  const text::Tokenizer* tokenizer = generator.tokenizer.get();
  for (const std::string& text : texts) {
    const auto id = tokenizer == nullptr ? std::nullopt : tokenizer->id(text);
    if (id) ids.push_back(*id);
  }
  return ids;
}

}  // namespace

Result<generate::GenerateOptions> read_generate_options(const Json& json,
                                                        const generate::Generator& generator) {
  generate::GenerateOptions options;
  AMBRY_TRY(options.max_tokens, read_count(json, "maxTokens", options.max_tokens));
  AMBRY_RETURN_IF_ERROR(read_sampling(json, generator, options.sampler));
  AMBRY_TRY(options.ignore_eos, read_bool(json, "ignoreEos", options.ignore_eos));
  if (is_given(json.find("drySequenceBreakers"))) {
    AMBRY_TRY(options.dry_breakers, read_texts(json, "drySequenceBreakers"));
  }
  AMBRY_TRY(options.form, read_format(json));
  AMBRY_TRY(options.stops, read_texts(json, "stop"));
  if (const Json* ids = json.find("stopIds"); is_given(ids)) {
    AMBRY_TRY(options.stop_ids, read_ids(*ids, generator.decoder.n_tokens(), "options.stopIds"));
  }
  if (const Json* ids = json.find("resumeIds"); is_given(ids)) {
    AMBRY_TRY(options.resume_ids,
              read_ids(*ids, generator.decoder.n_tokens(), "options.resumeIds"));
  }
  AMBRY_TRY(options.shown_ids, read_shown(json, generator));
  options.with_probabilities = is_given(json.find("logprobs"));
  AMBRY_TRY(options.n_likely, read_count(json, "logprobs", options.n_likely));
  AMBRY_TRY(options.prompt_lookup_num_tokens,
            read_count(json, "promptLookupNumTokens", options.prompt_lookup_num_tokens));
  AMBRY_TRY(options.max_matching_ngram_size,
            read_count(json, "maxMatchingNgramSize", options.max_matching_ngram_size));
  AMBRY_TRY(options.n, read_count(json, "n", options.n));
  AMBRY_TRY(options.batch_size, read_count(json, "batchSize", options.batch_size));
  return options;
}

}  // namespace ambry::api
