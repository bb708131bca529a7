#include "api/encoder/embed_options_json.h"

#include <algorithm>

#include "api/call/options.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using infer::EmbedDefaults;
using infer::EmbedOptions;
using io::Json;
using NamedPrompt = std::pair<std::string, std::string>;

const std::string* find_prompt(const EmbedDefaults& defaults, std::string_view name) {
  const auto named = std::ranges::find(defaults.prompts, name, &NamedPrompt::first);
  return named == defaults.prompts.end() ? nullptr : &named->second;
}

bool is_stated(const Json& options, std::string_view name) {
  const Json* value = options.find(name);
  return value != nullptr && !value->is_null();
}

Result<std::string> named_prompt(const EmbedDefaults& defaults, const std::string& name) {
  if (const std::string* found = find_prompt(defaults, name)) return *found;
  std::string known;
  for (const NamedPrompt& prompt : defaults.prompts) {
    known += known.empty() ? "" : ", ";
    known += prompt.first;
  }
  return make_error(ErrorCode::NotFound, "options.promptName",
                    {"the model has no prompt \"", name, "\"",
                     known.empty() ? "; it has none at all" : "; its prompts are ", known});
}

// The models of this kind are trained with "Instruct: TASK\nQuery:", with or without a space at the
// end, or with "<instruct>TASK\n<query>". Their first such prompt tells which.
Result<std::string> instruction_prompt(const EmbedDefaults& defaults,
                                       const std::string& instruction) {
  constexpr size_t kBefore = 10;  // of both
  for (const NamedPrompt& prompt : defaults.prompts) {
    const std::string_view text = prompt.second;
    const size_t after = text.rfind('\n');
    const bool is_it = text.starts_with("Instruct: ") || text.starts_with("<instruct>");
    if (!is_it || after == std::string_view::npos) continue;
    return concat({text.substr(0, kBefore), instruction, text.substr(after)});
  }
  return make_error(ErrorCode::Unsupported, "options.instruction",
                    "the model has no prompt with an instruction; give the whole text as prompt");
}

Result<std::string> read_prompt(const EmbedDefaults& defaults, const Json& json) {
  const char* stated = nullptr;
  for (const char* kind : kPromptOptions) {
    if (!is_stated(json, kind)) continue;
    if (stated != nullptr) return bad_option(kind, {"cannot be used together with ", stated});
    stated = kind;
  }
  const std::string_view kind = stated == nullptr ? kPromptOptions[0] : stated;
  AMBRY_TRY(const std::string given,
            read_text(json, kind, std::string(defaults.default_prompt_name)));
  if (kind == "promptName") return named_prompt(defaults, given);
  if (kind == "instruction") return instruction_prompt(defaults, given);
  const std::string* named = find_prompt(defaults, given);
  return named == nullptr ? given : *named;
}

// `whole` is the number of values in a vector that is not cut.
Result<uint32_t> read_dim(const Json& options, uint32_t whole) {
  const Json* value = options.find("dim");
  if (value == nullptr || value->is_null()) return whole;
  if (!value->is_uint() || value->uint() < 1 || value->uint() > whole) {
    return bad_option("dim", {"must be an integer from 1 to ", whole});
  }
  return static_cast<uint32_t>(value->uint());
}

}  // namespace

Result<bool> read_truncate(const Json& options) {
  AMBRY_TRY(const std::string truncate, read_text(options, "truncate", "end"));
  if (truncate == "end" || truncate == "error") return truncate == "error";
  return bad_option("truncate", {"must be end or error, not ", truncate});
}

Result<EmbedOptions> read_embed_options(const EmbedDefaults& defaults, std::string_view text) {
  AMBRY_TRY(const Json json, io::parse_json(text, 0, "options"));
  return read_embed_options(defaults, json);
}

Result<EmbedOptions> read_embed_options(const EmbedDefaults& defaults, const Json& json) {
  EmbedOptions options;
  AMBRY_TRY(const std::string pooling, read_text(json, "pooling", std::string(defaults.pooling)));
  if (pooling.empty()) {
    return bad_option("pooling",
                      "this model says nothing of embeddings; state how to pool, such as lasttoken "
                      "or mean");
  }
  const auto known = infer::pooling_by_name(pooling);
  if (!known) return bad_option("pooling", {"unknown pooling: ", pooling});
  options.pooling = *known;

  // Token vectors are not normalized by default. For sentences, the model's setting is the default.
  const bool of_tokens = options.pooling == infer::Pooling::None;
  const bool habit = defaults.normalize && !of_tokens;
  AMBRY_TRY(options.normalize, read_bool(json, "normalize", habit));
  AMBRY_TRY(options.refuse_long, read_truncate(json));
  AMBRY_TRY(options.dim, read_dim(json, of_tokens ? defaults.token_size : defaults.sentence_size));
  AMBRY_TRY(options.prompt, read_prompt(defaults, json));
  return options;
}

}  // namespace ambry::api
