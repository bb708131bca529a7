#include "generate/answer/generate_options.h"

#include <limits>
#include <string_view>
#include <utility>

#include "generate/run/prompt.h"
#include "infer/decoder/sampling/dry_breakers.h"
#include "infer/decoder/speculation/prompt_lookup.h"
#include "infer/decoder/steps/pass_scratch.h"

namespace ambry::generate {
namespace {

// More than anyone reads. Each token needs a sorted row.
constexpr uint64_t kMaxLikely = 1000;
constexpr uint64_t kMaxAnswers = 10'000;
// One token of each answer fills a block of a pass.
constexpr uint64_t kMaxBatchSize = infer::kPassRows;

constexpr double kBan = -std::numeric_limits<double>::infinity();
constexpr const char* kUsualBreakers[] = {"\n", ":", "\"", "*"};
constexpr size_t kMostBreakers = 100;
constexpr size_t kMostBreakerBytes = 40;

Failure bad_option(std::string_view name, const Text& message) {
  return make_error(ErrorCode::BadValue, {"options.", name}, message);
}

Result<void> check_breakers(const std::vector<std::string>& texts) {
  if (texts.size() > kMostBreakers) {
    return bad_option("drySequenceBreakers", {"must be at most ", uint64_t{kMostBreakers}});
  }
  for (const std::string& text : texts) {
    if (!text.empty() && text.size() <= kMostBreakerBytes) continue;
    return bad_option("drySequenceBreakers",
                      {"must have 1 to ", uint64_t{kMostBreakerBytes}, " bytes each"});
  }
  return {};
}

Result<void> check_counts(const GenerateOptions& options) {
  const struct {
    const char* name;
    uint64_t value;
    uint64_t least;
    uint64_t most;
  } counts[] = {
      {"promptLookupNumTokens", options.prompt_lookup_num_tokens, 0, infer::kMaxPromptLookupTokens},
      {"maxMatchingNgramSize", options.max_matching_ngram_size, 1, infer::kMaxMatchingNgramSize},
      {"n", options.n, 1, kMaxAnswers},
      {"batchSize", options.batch_size, 1, kMaxBatchSize},
  };
  for (const auto& [name, value, least, most] : counts) {
    if (value >= least && value <= most) continue;
    return bad_option(name, {"must be an integer from ", least, " to ", most, ", not ", value});
  }
  return {};
}

Result<void> check_resumed(const GenerateOptions& options) {
  if (options.resume_ids.empty()) return {};
  if (options.n > 1) return bad_option("resumeIds", "goes with one answer, so n must be 1");
  if (options.resume_ids.size() > options.max_tokens) {
    return bad_option("resumeIds", {"must be at most ", options.max_tokens, ", as maxTokens is"});
  }
  return {};
}

}  // namespace

Result<infer::SamplerOptions> sampling_of(const GenerateOptions& options,
                                          const Generator& generator) {
  infer::SamplerOptions sampler = options.sampler;
  if (options.ignore_eos && generator.tokenizer) {
    for (const uint32_t id : generator.tokenizer->end_ids()) {
      sampler.logit_bias.push_back({id, kBan});
    }
  }
  if (sampler.dry.multiplier == 0) return sampler;
  std::vector<std::string> texts;
  if (options.dry_breakers) {
    texts = *options.dry_breakers;
  } else if (generator.tokenizer) {
    texts.assign(std::begin(kUsualBreakers), std::end(kUsualBreakers));
  }
  if (texts.empty()) return sampler;
  AMBRY_TRY(const text::Tokenizer* tokenizer, need_tokenizer(generator));
  AMBRY_TRY(sampler.dry.breakers, infer::breaker_sequences(*tokenizer, texts));
  return sampler;
}

Result<void> check(const GenerateOptions& options) {
  if (options.max_tokens == 0) return bad_option("maxTokens", "must be an integer of 1 or more");
  if (options.dry_breakers) AMBRY_RETURN_IF_ERROR(check_breakers(*options.dry_breakers));
  for (const std::string& stop : options.stops) {
    if (stop.empty()) return bad_option("stop", "must not be empty");
  }
  if (options.n_likely > kMaxLikely) {
    return bad_option("logprobs", {"must be at most ", kMaxLikely});
  }
  AMBRY_RETURN_IF_ERROR(check_counts(options));
  AMBRY_RETURN_IF_ERROR(check_resumed(options));
  return infer::check(options.sampler);
}

}  // namespace ambry::generate
