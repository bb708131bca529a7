#include "formats/embd/tokenizer/tokenizer_settings.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "formats/embd/tokenizer/tokenizer_parts.h"
#include "io/json/json.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/post_processor_json.h"
#include "model/tokenizer/tokenizer_metadata.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::formats::embd {
namespace {

using io::Json;
using model::TokenizerData;
using model::TokenizerKind;

constexpr const char* kPostProcessor = "post_processor";
// Beside those that read_tokenizer_options() reads. They are stated where they are not in the
// vocabulary section, which has ids of the vocabulary only.
using Id = std::optional<uint32_t> TokenizerData::*;
constexpr std::pair<const char*, Id> kMoreIds[] = {{"cls_id", &TokenizerData::cls_id},
                                                   {"sep_id", &TokenizerData::sep_id}};

// How many ids there are with the added tokens, which have ids of the vocabulary or the next ones.
Result<size_t> count_ids(const std::vector<model::AddedToken>& added, const Json& list,
                         std::string_view path, size_t n_tokens) {
  const size_t limit = n_tokens + added.size();
  size_t n_ids = n_tokens;
  for (size_t i = 0; i < added.size(); ++i) {
    if (added[i].id >= limit) {
      return error_at(ErrorCode::BadValue, list.items()[i].byte_offset(),
                      {path, ".added_tokens[", i, "].id"},
                      {"the id ", added[i].id, " leaves holes below it"});
    }
    n_ids = std::max(n_ids, size_t{added[i].id} + 1);
  }
  return n_ids;
}

Result<size_t> count_ids(const Json& settings, const TokenizerData& tokenizer) {
  const size_t n_tokens = tokenizer.vocabulary.size();
  constexpr const char* kAdded = "added_tokens";
  if (tokenizer.kind != TokenizerKind::Unigram) {
    const Json* list = settings.find(kAdded);
    if (list == nullptr || !list->is_array()) return n_tokens;
    return count_ids(tokenizer.added_tokens, *list, kSettingsPart, n_tokens);
  }
  AMBRY_TRY(const Json root,
            io::parse_json(tokenizer.payload, tokenizer.payload_offset, kJsonPart));
  const Json* list = root.find(kAdded);
  if (list == nullptr) return n_tokens;
  AMBRY_TRY(const auto added,
            model::added_tokens_from_json(*list, concat({kJsonPart, ".", kAdded})));
  return count_ids(added, *list, kJsonPart, n_tokens);
}

// All ids that the settings name must be tokens of the vocabulary or added ones.
class IdCheck {
 public:
  IdCheck(const Json& settings, const TokenizerData& tokenizer, size_t n_ids)
      : settings_(settings), tokenizer_(tokenizer), n_ids_(n_ids) {}

  Result<void> run() {
    for (const auto& [key, id] : {std::pair("bos_id", tokenizer_.bos_id),
                                  {"eos_id", tokenizer_.eos_id},
                                  {"pad_id", tokenizer_.pad_id},
                                  {"unk_id", tokenizer_.unk_id},
                                  {"mask_id", tokenizer_.mask_id},
                                  {"cls_id", tokenizer_.cls_id},
                                  {"sep_id", tokenizer_.sep_id}}) {
      AMBRY_RETURN_IF_ERROR(check(key, id));
    }
    for (const uint32_t id : tokenizer_.eos_ids) AMBRY_RETURN_IF_ERROR(check("eos_id", id));
    if (!tokenizer_.post_processor) return {};
    for (const model::Template* parts :
         {&tokenizer_.post_processor->single, &tokenizer_.post_processor->pair}) {
      for (const model::TemplatePart& part : *parts) {
        for (const uint32_t id : part.ids) AMBRY_RETURN_IF_ERROR(check(kPostProcessor, id));
      }
    }
    return {};
  }

 private:
  Result<void> check(const char* key, std::optional<uint32_t> id) const {
    if (!id || *id < n_ids_) return {};
    const Json* value = settings_.find(key);
    // Without a value, the id is that of the vocabulary section, which has been checked.
    if (value == nullptr) return {};
    return error_at(ErrorCode::BadValue, value->byte_offset(), {kSettingsPart, ".", key},
                    {"the id ", *id, " is not below the ", n_ids_, " tokens"});
  }

  const Json& settings_;
  const TokenizerData& tokenizer_;
  size_t n_ids_;
};

}  // namespace

Result<void> read_tokenizer_settings(std::string_view text, uint64_t offset,
                                     TokenizerData& tokenizer) {
  AMBRY_TRY(const Json settings, io::parse_json(text, offset, kSettingsPart));
  if (!settings.is_object()) {
    return error_at(ErrorCode::BadValue, offset, kSettingsPart, "expected an object");
  }
  AMBRY_RETURN_IF_ERROR(model::read_tokenizer_options(settings, kSettingsPart, tokenizer));
  AMBRY_RETURN_IF_ERROR(
      model::read_values(settings,
                         {{"remove_extra_whitespaces", tokenizer.remove_extra_whitespaces},
                          {"marks_before_added", tokenizer.marks_before_added}},
                         kSettingsPart));
  for (const auto& [key, id] : kMoreIds) {
    uint32_t value = UINT32_MAX;
    AMBRY_RETURN_IF_ERROR(model::read_values(settings, {{key, value}}, kSettingsPart));
    if (model::has_value(settings, key)) tokenizer.*id = value;
  }
  AMBRY_TRY(const size_t n_ids, count_ids(settings, tokenizer));
  return IdCheck(settings, tokenizer, n_ids).run();
}

std::string tokenizer_settings_text(const TokenizerData& tokenizer) {
  // WordPiece's other settings are metadata.
  const bool words = tokenizer.kind == TokenizerKind::WordPiece;
  Json settings = words ? Json::object() : model::tokenizer_options_json(tokenizer);
  for (const auto& [key, id] : kMoreIds) {
    const std::optional<uint32_t>& stated = tokenizer.*id;
    if (!words && stated && *stated >= tokenizer.vocabulary.size()) settings.set(key, *stated);
  }
  if (tokenizer.remove_extra_whitespaces) {
    settings.set("remove_extra_whitespaces", *tokenizer.remove_extra_whitespaces);
  }
  if (tokenizer.marks_before_added) {
    settings.set("marks_before_added", *tokenizer.marks_before_added);
  }
  if (words && tokenizer.post_processor) {
    settings.set(kPostProcessor, model::post_processor_json(*tokenizer.post_processor));
  }
  return settings.members().empty() ? std::string() : settings.dump();
}

}  // namespace ambry::formats::embd
