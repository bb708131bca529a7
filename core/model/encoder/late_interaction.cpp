#include "model/encoder/late_interaction.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "model/encoder/encoder_config.h"
#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

using io::Json;
using Marker = std::optional<uint32_t>;

// The first token, the marker and the last token.
constexpr uint32_t kLeastLength = 3;

constexpr const char* kQueryLength = "query_length";
constexpr const char* kDocumentLength = "document_length";
constexpr const char* kAttend = "attend_to_expansion";
constexpr const char* kWithSentences = "with_sentences";
constexpr std::array<std::string_view, 4> kOtherKeys = {kQueryLength, kDocumentLength, kAttend,
                                                        kWithSentences};
constexpr std::array<std::pair<const char*, Marker LateInteraction::*>, 3> kMarkers = {
    {{"query_marker", &LateInteraction::query_marker},
     {"document_marker", &LateInteraction::document_marker},
     {"expansion", &LateInteraction::expansion}}};

// Reads one value of the metadata, which is JSON as a text.
class LateReader {
 public:
  LateReader(const Json& metadata, const EncoderConfig& config)
      : metadata_(metadata), config_(config) {}

  Result<LateInteraction> read(std::string_view text) const {
    const auto json = io::parse_json(text);
    if (!json || !json->is_object()) {
      return fail(kLateInteraction, ErrorCode::BadValue, "expected a JSON object");
    }
    LateInteraction late;
    AMBRY_RETURN_IF_ERROR(check_keys(*json));
    for (const auto& [key, member] : kMarkers) {
      AMBRY_RETURN_IF_ERROR(read_marker(*json, key, late.*member));
    }
    auto read = read_values(*json,
                            {{kQueryLength, late.query_length},
                             {kDocumentLength, late.document_length},
                             {kAttend, late.attend_to_expansion},
                             {kWithSentences, late.with_sentences}},
                            kLateInteraction);
    if (!read) return fail(kLateInteraction, read.error().code, describe(read.error()));
    AMBRY_RETURN_IF_ERROR(read_skipped(late));
    AMBRY_RETURN_IF_ERROR(check_length(kQueryLength, late.query_length));
    AMBRY_RETURN_IF_ERROR(check_length(kDocumentLength, late.document_length));
    AMBRY_RETURN_IF_ERROR(check_windows(late));
    AMBRY_RETURN_IF_ERROR(check_others(late));
    return late;
  }

  [[nodiscard]] Failure fail(const char* key, ErrorCode code, const Text& message) const {
    return metadata_error(metadata_, key, code, message);
  }

 private:
  Result<void> check_keys(const Json& json) const {
    for (const auto& [key, value] : json.members()) {
      const auto is_it = [&key](const auto& marker) { return key == marker.first; };
      if (std::ranges::find(kOtherKeys, std::string_view(key)) != kOtherKeys.end() ||
          std::ranges::any_of(kMarkers, is_it)) {
        continue;
      }
      return fail(kLateInteraction, ErrorCode::Unsupported,
                  {"the setting \"", key, "\" is not known"});
    }
    return {};
  }

  [[nodiscard]] bool is_token(const Json& id) const {
    return id.is_uint() && id.uint() < config_.vocab_size;
  }

  Result<void> read_marker(const Json& json, const char* key, Marker& out) const {
    const Json* value = json.find(key);
    if (value == nullptr || value->is_null()) return {};
    if (!is_token(*value)) {
      return fail(
          kLateInteraction, ErrorCode::BadValue,
          {key, " is ", value->dump(), ", but the model has the tokens 0 to ", last_token()});
    }
    out = static_cast<uint32_t>(value->uint());
    return {};
  }

  Result<void> read_skipped(LateInteraction& late) const {
    const auto text = metadata_text(metadata_, kSkippedTokens);
    if (!text || text->empty()) return {};
    const auto list = io::parse_json(*text);
    const auto is_id = [this](const Json& id) { return is_token(id); };
    if (!list || !list->is_array() || !std::ranges::all_of(list->items(), is_id)) {
      return fail(kSkippedTokens, ErrorCode::BadValue,
                  {"expected a JSON list of tokens, which are 0 to ", last_token()});
    }
    for (const Json& id : list->items()) {
      late.skipped.push_back(static_cast<uint32_t>(id.uint()));
    }
    return {};
  }

  Result<void> check_length(const char* key, uint32_t length) const {
    if (length < kLeastLength) {
      return fail(kLateInteraction, ErrorCode::BadValue,
                  {key, " is ", length, ", which leaves no room for a text"});
    }
    if (length <= config_.max_tokens()) return {};
    return fail(kLateInteraction, ErrorCode::LimitExceeded,
                {key, " is ", length, ", but the model has ", config_.max_tokens(), " positions"});
  }

  // In the model's library such a token sees what the attention's implementation makes of no keys.
  Result<void> check_windows(const LateInteraction& late) const {
    const uint32_t reach = config_.facts.local_window / 2;
    const bool hidden = late.expansion && !late.attend_to_expansion;
    if (!hidden || reach == 0 || late.query_length - 1 <= reach) return {};
    return fail(
        kLateInteraction, ErrorCode::Unsupported,
        {kQueryLength, " is ", late.query_length, ", but in layers with a window a token sees ",
         reach, " tokens to either side, so the last expansion tokens would see no text"});
  }

  // What the model gives besides.
  Result<void> check_others(const LateInteraction& late) const {
    const bool sparse = config_.head && config_.head->task == HeadTask::Sparse;
    if (config_.head && !(sparse && late.with_sentences)) {
      return fail(kLateInteraction, ErrorCode::Unsupported,
                  "a model with this head has no vectors of tokens");
    }
    if (!late.with_sentences || config_.embedding_size() == config_.hidden_size) return {};
    return fail(kLateInteraction, ErrorCode::Unsupported,
                {"a token's vector has ", config_.embedding_size(), " numbers, and a text's ",
                 config_.hidden_size});
  }

  [[nodiscard]] uint32_t last_token() const { return config_.vocab_size - 1; }

  const Json& metadata_;
  const EncoderConfig& config_;
};

}  // namespace

[[gnu::weak]] Result<void> read_late_interaction(const Json& metadata, EncoderConfig& config) {
  const auto text = metadata_text(metadata, kLateInteraction);
  if (!text || text->empty()) return {};
  AMBRY_TRY(config.late, LateReader(metadata, config).read(*text));
  return {};
}

void set_late_metadata(const LateInteraction& late, Json& metadata) {
  Json facts = Json::object();
  for (const auto& [key, member] : kMarkers) {
    if (late.*member) facts.set(key, *(late.*member));
  }
  facts.set(kQueryLength, late.query_length);
  facts.set(kDocumentLength, late.document_length);
  facts.set(kAttend, late.attend_to_expansion);
  if (late.with_sentences) facts.set(kWithSentences, true);
  metadata.set(kLateInteraction, facts.dump());
  if (late.skipped.empty()) return;
  Json skipped = Json::array();
  for (const uint32_t id : late.skipped) skipped.append(id);
  metadata.set(kSkippedTokens, skipped.dump());
}

}  // namespace ambry::model
