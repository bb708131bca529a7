#include "api/decoder/prompt_score_job.h"

#include <string>
#include <variant>
#include <vector>

#include "api/call/options.h"
#include "generate/run/prompt.h"
#include "io/json/json.h"
#include "model/decoder/config/reranker_config.h"
#include "model/metadata/metadata_value.h"

namespace ambry::api {
namespace {

using io::Json;
using model::RerankerConfig;
using model::RerankerToken;

Result<std::vector<generate::PartedPrompt>> read_parted_prompts(const Json& options) {
  std::vector<generate::PartedPrompt> prompts;
  const Json* list = options.find("prompts");
  if (list == nullptr || !list->is_array()) return bad_option("prompts", "must be a list");
  for (const Json& item : list->items()) {
    generate::PartedPrompt& prompt = prompts.emplace_back();
    AMBRY_TRY(prompt.parts, read_texts(item, "parts"));
    AMBRY_TRY(prompt.tail, read_texts(item, "tail"));
    AMBRY_TRY(prompt.lead, read_texts(item, "lead"));
  }
  return prompts;
}

// A token that the config names by its text.
Result<uint32_t> reranker_token_id(const RerankerToken& token, const generate::Generator& generator,
                                   std::string_view key) {
  if (const auto* id = std::get_if<uint32_t>(&token)) return *id;
  const std::string& text = std::get<std::string>(token);
  AMBRY_TRY(const text::Tokenizer* tokenizer, generate::need_tokenizer(generator));
  const auto ids = tokenizer->encode(text, {.add_special = false, .max_length = {}}).ids;
  if (ids.size() == 1 && ids[0] < generator.decoder.n_vocab()) return ids[0];
  return make_error(
      ErrorCode::NotFound, {"config.reranker.", key},
      {"the score is what the model gives to \"", text, "\", which is no token of its tokenizer"});
}

Result<std::vector<uint32_t>> answers_of(const RerankerConfig& config,
                                         const generate::Generator& generator) {
  AMBRY_TRY(const uint32_t match, reranker_token_id(config.match, generator, "true"));
  std::vector<uint32_t> answers = {match};
  if (config.mismatch) {
    AMBRY_TRY(const uint32_t mismatch, reranker_token_id(*config.mismatch, generator, "false"));
    answers.push_back(mismatch);
  }
  return answers;
}

// After how many layers the score is taken: what the call says, or all. 0 for a model without
// layers that rank.
Result<uint32_t> scored_layer(const Json& options, const model::DecoderConfig& config) {
  const uint32_t first = config.first_ranked_layer;
  AMBRY_TRY(const uint64_t layer, read_count(options, "layer", first == 0 ? 0 : config.n_layers));
  if (first == 0 && model::has_value(options, "layer")) {
    return make_error(ErrorCode::Unsupported, "options.layer",
                      "the model ranks after its last layer only; one that ranks after others is "
                      "bge-reranker-v2-minicpm-layerwise");
  }
  if (layer <= config.n_layers && layer >= first) return static_cast<uint32_t>(layer);
  return bad_option("layer", {"must be ", first, " to ", config.n_layers, ", not ", layer});
}

}  // namespace

Result<PromptScoreJob> PromptScoreJob::begin(std::shared_ptr<generate::Generator> generator,
                                             std::string_view options) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(const auto config,
            model::reranker_config(generator->model.config, generator->decoder.n_vocab()));
  if (!config) {
    return make_error(ErrorCode::Unsupported, "model",
                      "the model does not say how it ranks documents");
  }
  generate::ScoreForm form;
  AMBRY_TRY(form.n_layers, scored_layer(json, generator->decoder.config()));
  if (form.n_layers == 0) AMBRY_TRY(form.answers, answers_of(*config, *generator));
  form.max_length = config->max_length;
  form.max_head_length = config->max_head_length;
  form.head_begin = config->head_begin;
  form.max_query_length = config->max_query_length;
  form.query_part = model::part_of(*config, "{query}");
  AMBRY_TRY(form.list, read_text(json, "list", "texts"));
  AMBRY_TRY(const std::string truncate, read_text(json, "truncate", "end"));
  if (truncate != "end" && truncate != "error") {
    return bad_option("truncate", {"must be end or error, not ", truncate});
  }
  form.refuse_long = truncate == "error";
  AMBRY_TRY(const auto prompts, read_parted_prompts(json));
  AMBRY_TRY(generate::PromptScores scores,
            generate::PromptScores::begin(std::move(generator), std::move(form), prompts));
  return PromptScoreJob(std::move(scores));
}

Result<bool> PromptScoreJob::step() {
  AMBRY_TRY(last_, scores_.step());
  return last_.done;
}

std::optional<size_t> PromptScoreJob::part() const {
  if (last_.step.kind != infer::PassStep::Kind::NeedsPart) return std::nullopt;
  return last_.step.part;
}

}  // namespace ambry::api
