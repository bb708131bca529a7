#include "api/decoder/generation/generate_options.h"

#include "api/call/options.h"
#include "api/decoder/sampling_options.h"
#include "api/tokenizer/token_lists.h"
#include "infer/decoder/pass_scratch.h"

namespace ambry::api {
namespace {

using io::Json;

// More than anyone reads. Each token needs a sorted row.
constexpr uint64_t kMaxLikely = 1000;
constexpr uint64_t kMaxAnswers = 10'000;
// One token of each answer fills a block of a pass.
constexpr uint64_t kMaxBatchSize = infer::kPassRows;

Result<size_t> read_between(const Json& json, std::string_view name, uint64_t fallback,
                            uint64_t least, uint64_t most) {
  AMBRY_TRY(const uint64_t count, read_count(json, name, fallback));
  if (count >= least && count <= most) return static_cast<size_t>(count);
  return bad_option(name, {"must be an integer from ", least, " to ", most, ", not ", count});
}

Result<infer::PromptLookupOptions> read_lookup(const Json& json) {
  infer::PromptLookupOptions lookup;
  AMBRY_TRY(lookup.num_tokens,
            read_between(json, "promptLookupNumTokens", 0, 0, infer::kMaxPromptLookupTokens));
  AMBRY_TRY(lookup.max_matching_ngram_size,
            read_between(json, "maxMatchingNgramSize", 3, 1, infer::kMaxMatchingNgramSize));
  return lookup;
}

}  // namespace

Result<GenerateOptions> GenerateOptions::read(const Json& json,
                                              const generate::Generator& runtime) {
  GenerateOptions options;
  AMBRY_TRY(options.max_tokens, read_count(json, "maxTokens", 256));
  if (options.max_tokens == 0) return bad_option("maxTokens", "must be an integer of 1 or more");
  AMBRY_TRY(options.sampler, read_sampling(json, runtime));
  AMBRY_TRY(options.stops, read_texts(json, "stop"));
  for (const std::string& stop : options.stops) {
    if (stop.empty()) return bad_option("stop", "must not be empty");
  }
  if (const Json* ids = json.find("stopIds"); ids != nullptr && !ids->is_null()) {
    AMBRY_TRY(options.stop_ids, read_ids(*ids, runtime.decoder.n_tokens(), "options.stopIds"));
  }
  const Json* likely = json.find("logprobs");
  options.with_probabilities = likely != nullptr && !likely->is_null();
  AMBRY_TRY(const uint64_t n_likely, read_count(json, "logprobs", 0));
  if (n_likely > kMaxLikely) return bad_option("logprobs", {"must be at most ", kMaxLikely});
  options.n_likely = static_cast<size_t>(n_likely);
  AMBRY_TRY(options.lookup, read_lookup(json));
  AMBRY_TRY(options.n, read_between(json, "n", 1, 1, kMaxAnswers));
  AMBRY_TRY(options.batch_size, read_between(json, "batchSize", 8, 1, kMaxBatchSize));
  return options;
}

}  // namespace ambry::api
