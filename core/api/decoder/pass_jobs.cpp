#include "api/decoder/pass_jobs.h"

#include <optional>
#include <vector>

#include "api/call/options.h"
#include "api/decoder/prompt_json.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using io::Json;

Result<std::optional<uint64_t>> read_optional(const Json& json, std::string_view name) {
  const Json* given = json.find(name);
  if (given == nullptr || given->is_null()) return std::optional<uint64_t>();
  AMBRY_TRY(const uint64_t count, read_count(json, name, 0));
  return std::optional(count);
}

}  // namespace

Result<LogitsJob> begin_logits(std::shared_ptr<generate::Generator> generator,
                               std::string_view text, std::string_view options) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(const bool all, read_bool(json, "all", false));
  AMBRY_TRY(const generate::Prompt prompt, read_prompt(json, text, *generator));
  AMBRY_TRY(generate::PromptLogits logits,
            generate::PromptLogits::begin(std::move(generator), prompt, all));
  return LogitsJob(std::move(logits));
}

Result<PerplexityJob> begin_perplexity(std::shared_ptr<generate::Generator> generator,
                                       std::string_view text, std::string_view options) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  generate::PerplexityOptions windows;
  AMBRY_TRY(windows.window, read_optional(json, "window"));
  AMBRY_TRY(windows.stride, read_optional(json, "stride"));
  AMBRY_TRY(const generate::Prompt prompt, read_prompt(json, text, *generator));
  AMBRY_TRY(generate::TextPerplexity perplexity,
            generate::TextPerplexity::begin(std::move(generator), prompt, windows));
  return PerplexityJob(std::move(perplexity));
}

std::string perplexity_report(const generate::TextPerplexity& perplexity) {
  const infer::Perplexity& sum = perplexity.sum();
  Json document = Json::object();
  document.set("perplexity", sum.value());
  document.set("crossEntropy", -sum.sum() / static_cast<double>(sum.count()));
  document.set("tokens", sum.count());
  document.set("windows", uint64_t{perplexity.n_windows()});
  return document.dump();
}

Result<ActivationJob> begin_activations(const std::shared_ptr<generate::Generator>& generator,
                                        std::string_view options) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(const std::vector<std::string> texts, read_texts(json, "texts"));
  AMBRY_TRY(const std::optional<uint64_t> window, read_optional(json, "window"));
  AMBRY_TRY(generate::ActivationRun run, generate::ActivationRun::begin(generator, texts, window));
  return ActivationJob(std::move(run));
}

}  // namespace ambry::api
