#include <optional>
#include <utility>

#include "formats/amb/tokenizer_section.h"
#include "model/metadata_value.h"

namespace ambry::formats::amb {
namespace {

constexpr const char* kSection = "config.tokenizer";

using model::TokenizerData;

Result<uint32_t> read_id(const io::Json& options, const char* key, const io::Json& value) {
  if (value.is_uint() && value.uint() <= UINT32_MAX) return static_cast<uint32_t>(value.uint());
  return model::metadata_error(options, key, ErrorCode::BadValue, "not an id", kSection);
}

// An id or, where several end a text, a list of which the first counts here.
Result<void> read_special_id(const io::Json& options, const char* key,
                             std::optional<uint32_t>& out) {
  if (!model::has_value(options, key)) return {};
  const io::Json& value = *options.find(key);
  if (!value.is_array()) {
    AMBRY_TRY(out, read_id(options, key, value));
    return {};
  }
  for (const io::Json& item : value.items()) AMBRY_CHECK(read_id(options, key, item));
  if (!value.items().empty()) AMBRY_TRY(out, read_id(options, key, value.items()[0]));
  return {};
}

Result<model::AddedToken> read_added_token(const io::Json& item, size_t index) {
  const std::string path = concat({kSection, ".added_tokens[", index, "]"});
  const io::Json* id = item.find("id");
  const io::Json* content = item.find("content");
  if (id == nullptr || !id->is_uint() || id->uint() > UINT32_MAX || content == nullptr ||
      !content->is_string() || content->string().empty()) {
    return error_at(ErrorCode::BadValue, item.byte_offset(), path,
                    "not an object with an id and a content");
  }
  model::AddedToken token;
  token.id = static_cast<uint32_t>(id->uint());
  token.content = content->string();
  AMBRY_CHECK(model::read_values(item,
                                 {{"special", token.special},
                                  {"lstrip", token.lstrip},
                                  {"rstrip", token.rstrip},
                                  {"single_word", token.single_word},
                                  {"normalized", token.normalized}},
                                 path));
  return token;
}

Result<void> read_added_tokens(const io::Json& options, TokenizerData& tokenizer) {
  if (!model::has_value(options, "added_tokens")) return {};
  const io::Json& list = *options.find("added_tokens");
  if (!list.is_array()) {
    return model::metadata_error(options, "added_tokens", ErrorCode::BadValue, "not a list",
                                 kSection);
  }
  tokenizer.added_tokens.reserve(list.items().size());
  for (size_t i = 0; i < list.items().size(); ++i) {
    AMBRY_TRY(model::AddedToken token, read_added_token(list.items()[i], i));
    tokenizer.added_tokens.push_back(std::move(token));
  }
  return {};
}

}  // namespace

Result<void> read_tokenizer_config(const io::Json& config, TokenizerData& tokenizer) {
  if (!model::has_value(config, "tokenizer")) return {};
  const io::Json& options = *config.find("tokenizer");
  if (!options.is_object()) {
    return model::metadata_error(config, "tokenizer", ErrorCode::BadValue, "not an object",
                                 "config");
  }
  const std::pair<const char*, std::optional<uint32_t> TokenizerData::*> kIds[] = {
      {"bos_id", &TokenizerData::bos_id},
      {"eos_id", &TokenizerData::eos_id},
      {"pad_id", &TokenizerData::pad_id},
      {"unk_id", &TokenizerData::unk_id},
      {"mask_id", &TokenizerData::mask_id}};
  for (const auto& [key, id] : kIds) AMBRY_CHECK(read_special_id(options, key, tokenizer.*id));
  AMBRY_CHECK(read_added_tokens(options, tokenizer));
  return model::read_values(options,
                            {{"lowercase", tokenizer.lowercase},
                             {"strip_accents", tokenizer.strip_accents},
                             {"handle_chinese_chars", tokenizer.handle_chinese_chars},
                             {"max_input_chars_per_word", tokenizer.max_input_chars_per_word}},
                            kSection);
}

}  // namespace ambry::formats::amb
