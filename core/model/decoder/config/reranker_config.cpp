#include "model/decoder/config/reranker_config.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/concat.h"
#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

using io::Json;

constexpr std::string_view kRerankerPath = "config.reranker";
constexpr std::array<std::string_view, 18> kRerankerKeys = {"head",
                                                            "first_layer",
                                                            "true",
                                                            "false",
                                                            "prompt",
                                                            "messages",
                                                            "variables",
                                                            "activation",
                                                            "score_scale",
                                                            "instruction",
                                                            "instruction_form",
                                                            "max_length",
                                                            "max_head_length",
                                                            "head_begin",
                                                            "max_query_length",
                                                            "max_query_characters",
                                                            "max_document_characters",
                                                            "trim"};
constexpr std::array<std::string_view, 3> kScoreActivationNames = {"identity", "sigmoid", "tanh"};
// More parts than a prompt has. Keeps a hostile list small.
constexpr size_t kMostPromptParts = 16;

class RerankerReader {
 public:
  RerankerReader(const Json& config, const Json& object, uint32_t n_vocab)
      : config_(config), object_(object), n_vocab_(n_vocab) {}

  Result<RerankerConfig> read() {
    AMBRY_RETURN_IF_ERROR(check_keys());
    AMBRY_RETURN_IF_ERROR(read_tokens());
    AMBRY_RETURN_IF_ERROR(read_settings());
    AMBRY_RETURN_IF_ERROR(read_prompt());
    return std::move(reranker_);
  }

 private:
  Failure fail(std::string_view key, ErrorCode code, const Text& message) const {
    return metadata_error(object_, key, code, message, kRerankerPath);
  }
  Result<void> check_keys() const;
  Result<void> read_tokens();
  Result<RerankerToken> read_token(const char* key) const;
  Result<void> read_settings();
  Result<void> read_prompt();
  Result<void> check_template() const;
  Result<void> check_places() const;

  const Json& config_;
  const Json& object_;
  uint32_t n_vocab_;
  RerankerConfig reranker_;
};

Result<void> RerankerReader::check_keys() const {
  for (const auto& [key, value] : object_.members()) {
    if (std::ranges::find(kRerankerKeys, key) != kRerankerKeys.end()) continue;
    return fail(key, ErrorCode::Unsupported, "this key is unknown");
  }
  return {};
}

Result<void> RerankerReader::read_tokens() {
  AMBRY_RETURN_IF_ERROR(read_values(
      object_, {{"head", reranker_.head}, {"first_layer", reranker_.first_layer}}, kRerankerPath));
  if (reranker_.first_layer > 0) {
    for (const char* key : {"head", "true", "false"}) {
      if (!has_value(object_, key)) continue;
      return fail(key, ErrorCode::BadValue,
                  "a model with a layer of its own for the score has no tokens that stand for it");
    }
    return {};
  }
  if (!has_value(object_, "true")) {
    return fail("true", ErrorCode::NotFound, "the token that stands for a match is not stated");
  }
  AMBRY_TRY(reranker_.match, read_token("true"));
  if (has_value(object_, "false")) AMBRY_TRY(reranker_.mismatch, read_token("false"));
  return {};
}

Result<RerankerToken> RerankerReader::read_token(const char* key) const {
  const Json& value = *object_.find(key);
  if (value.is_string() && !reranker_.head) return RerankerToken(value.string());
  if (!value.is_uint()) {
    return fail(key, ErrorCode::BadValue, "expected the id of a token, or its text");
  }
  const uint32_t most = reranker_.head ? kRerankerOutputs : n_vocab_;
  if (value.uint() < most) return RerankerToken(static_cast<uint32_t>(value.uint()));
  return fail(key, ErrorCode::BadValue,
              {"the id ", value.uint(), ", but the model's ids are below ", most});
}

Result<void> RerankerReader::read_settings() {
  std::string messages = "flat";
  AMBRY_RETURN_IF_ERROR(read_values(object_,
                                    {{"messages", messages},
                                     {"activation", reranker_.activation},
                                     {"instruction_form", reranker_.instruction_form},
                                     {"score_scale", reranker_.score_scale},
                                     {"max_length", reranker_.max_length},
                                     {"max_head_length", reranker_.max_head_length},
                                     {"head_begin", reranker_.head_begin},
                                     {"max_query_length", reranker_.max_query_length},
                                     {"max_query_characters", reranker_.max_query_characters},
                                     {"max_document_characters", reranker_.max_document_characters},
                                     {"trim", reranker_.trim}},
                                    kRerankerPath));
  if (messages != "flat" && messages != "structured") {
    return fail("messages", ErrorCode::Unsupported, {"\"", messages, "\" is not supported"});
  }
  reranker_.structured_messages = messages == "structured";
  if (std::ranges::find(kScoreActivationNames, reranker_.activation) ==
      kScoreActivationNames.end()) {
    return fail("activation", ErrorCode::Unsupported,
                {"\"", reranker_.activation, "\" is not supported"});
  }
  if (!(reranker_.score_scale > 0)) {
    return fail("score_scale", ErrorCode::BadValue, "must be above 0");
  }
  if (const auto text = metadata_text(object_, "instruction")) {
    reranker_.instruction = std::string(*text);
  }
  if (!has_value(object_, "variables")) return {};
  reranker_.variables = *object_.find("variables");
  if (reranker_.variables.is_object()) return {};
  return fail("variables", ErrorCode::BadValue, "expected an object");
}

Result<void> RerankerReader::read_prompt() {
  if (!has_value(object_, "prompt")) {
    if (reranker_.max_query_length == 0 && reranker_.head_begin == 0) return check_template();
    return fail("prompt", ErrorCode::NotFound, "limits of parts need a prompt in parts");
  }
  const Json& parts = *object_.find("prompt");
  const auto is_text = [](const Json& part) { return part.is_string(); };
  if (!parts.is_array() || parts.items().size() > kMostPromptParts ||
      !std::ranges::all_of(parts.items(), is_text)) {
    return fail("prompt", ErrorCode::BadValue,
                {"expected a list of at most ", kMostPromptParts, " texts"});
  }
  for (const Json& part : parts.items()) reranker_.prompt.push_back(part.string());
  AMBRY_RETURN_IF_ERROR(check_places());
  const size_t document = part_of(reranker_, "{document}");
  if (reranker_.head_begin > document) {
    return fail("head_begin", ErrorCode::BadValue,
                {"is ", reranker_.head_begin, ", but part ", document, " has the document"});
  }
  if (reranker_.max_query_length == 0 || part_of(reranker_, "{query}") < document) return {};
  return fail("max_query_length", ErrorCode::Unsupported,
              "the query must be in a part of its own before the document");
}

Result<void> RerankerReader::check_template() const {
  const Json* tokenizer = config_.find("tokenizer");
  if (tokenizer != nullptr && metadata_text(*tokenizer, "chat_template")) return {};
  return make_error(ErrorCode::NotFound, "config.tokenizer.chat_template",
                    "the model ranks with a prompt that its chat template makes, but it has no "
                    "template; in a directory that is chat_template.jinja");
}

Result<void> RerankerReader::check_places() const {
  const auto count = [&](std::string_view place) {
    size_t n = 0;
    for (const std::string& part : reranker_.prompt) {
      for (size_t at = part.find(place); at != std::string::npos; at = part.find(place, at + 1))
        ++n;
    }
    return n;
  };
  for (const char* place : {"{query}", "{document}"}) {
    if (count(place) == 1) continue;
    return fail("prompt", ErrorCode::BadValue, {"the prompt must have ", place, " once"});
  }
  if (count("{instruction}") == (reranker_.instruction ? 1U : 0U)) return {};
  return fail("prompt", ErrorCode::BadValue,
              "the prompt must have {instruction} once if there is one, and else not");
}

Json token_json(const RerankerToken& token) {
  const uint32_t* id = std::get_if<uint32_t>(&token);
  return id == nullptr ? Json(std::string_view(std::get<std::string>(token))) : Json(*id);
}

}  // namespace

size_t part_of(const RerankerConfig& reranker, std::string_view place) {
  const auto part = std::ranges::find_if(reranker.prompt, [&](const std::string& text) {
    return text.find(place) != std::string::npos;
  });
  return static_cast<size_t>(part - reranker.prompt.begin());
}

Result<std::optional<RerankerConfig>> reranker_config(const Json& config, uint32_t n_vocab) {
  std::optional<RerankerConfig> read;
  if (!has_value(config, "reranker")) return read;
  const Json& object = *config.find("reranker");
  if (!object.is_object()) {
    return error_at(ErrorCode::BadValue, object.byte_offset(), kRerankerPath, "expected an object");
  }
  AMBRY_TRY(read, RerankerReader(config, object, n_vocab).read());
  return read;
}

Json reranker_document(const RerankerConfig& reranker) {
  Json document = Json::object();
  if (reranker.head) document.set("head", true);
  if (reranker.first_layer > 0) {
    document.set("first_layer", reranker.first_layer);
  } else {
    document.set("true", token_json(reranker.match));
    document.set("false", reranker.mismatch ? token_json(*reranker.mismatch) : Json());
  }
  if (!reranker.prompt.empty()) {
    Json& parts = document.set("prompt", Json::array());
    for (const std::string& part : reranker.prompt) parts.append(std::string_view(part));
  } else {
    document.set("messages", reranker.structured_messages ? "structured" : "flat");
    document.set("variables", reranker.variables);
  }
  document.set("activation", std::string_view(reranker.activation));
  if (reranker.score_scale != 1) document.set("score_scale", reranker.score_scale);
  if (reranker.instruction) {
    document.set("instruction", std::string_view(*reranker.instruction));
    if (reranker.instruction_form != "{instruction}") {
      document.set("instruction_form", std::string_view(reranker.instruction_form));
    }
  }
  const std::pair<const char*, uint32_t> kNumbers[] = {
      {"max_length", reranker.max_length},
      {"max_head_length", reranker.max_head_length},
      {"head_begin", reranker.head_begin},
      {"max_query_length", reranker.max_query_length},
      {"max_query_characters", reranker.max_query_characters},
      {"max_document_characters", reranker.max_document_characters}};
  for (const auto& [key, number] : kNumbers) {
    if (number > 0) document.set(key, number);
  }
  if (reranker.trim) document.set("trim", true);
  return document;
}

}  // namespace ambry::model
