#include "model/tokenizer/tokenizer_metadata.h"

#include <algorithm>
#include <array>

#include "model/metadata/metadata_value.h"
#include "model/tokenizer/tokenizer_kind.h"

namespace ambry::model {
namespace {

struct SpecialToken {
  std::string_view text;
  std::optional<uint32_t> TokenizerData::* id;
};

constexpr std::array<SpecialToken, 5> kSpecialTokens = {{{"[PAD]", &TokenizerData::pad_id},
                                                         {"[UNK]", &TokenizerData::unk_id},
                                                         {"[CLS]", &TokenizerData::cls_id},
                                                         {"[SEP]", &TokenizerData::sep_id},
                                                         {"[MASK]", &TokenizerData::mask_id}}};

struct TokenFlag {
  const char* key;
  bool AddedToken::* flag;
};

constexpr std::array<TokenFlag, 5> kTokenFlags = {{{"special", &AddedToken::special},
                                                   {"lstrip", &AddedToken::lstrip},
                                                   {"rstrip", &AddedToken::rstrip},
                                                   {"single_word", &AddedToken::single_word},
                                                   {"normalized", &AddedToken::normalized}}};

Result<AddedToken> added_token_from_json(const io::Json& item, const std::string& path) {
  const io::Json* id = item.find("id");
  const io::Json* content = item.find("content");
  if (id == nullptr || !id->is_uint() || id->uint() > UINT32_MAX) {
    return error_at(ErrorCode::BadValue, item.byte_offset(), {path, ".id"}, "the id is missing");
  }
  if (content == nullptr || !content->is_string() || content->string().empty()) {
    return error_at(ErrorCode::BadValue, item.byte_offset(), {path, ".content"},
                    "the content is missing");
  }
  AddedToken token;
  token.id = static_cast<uint32_t>(id->uint());
  token.content = content->string();
  for (const auto& [key, flag] : kTokenFlags) {
    // By default a token is normalized when it is not special. The other defaults are those of
    // AddedToken.
    if (flag == &AddedToken::normalized) token.normalized = !token.special;
    const io::Json* value = item.find(key);
    if (value == nullptr) continue;
    if (!value->is_bool()) {
      return error_at(ErrorCode::BadValue, value->byte_offset(), {path, ".", key},
                      "expected true or false");
    }
    token.*flag = value->boolean();
  }
  return token;
}

}  // namespace

void set_tokenizer_metadata(const TokenizerData& tokenizer, io::Json& metadata) {
  if (tokenizer.kind != TokenizerKind::WordPiece) {
    metadata.set(kTokenizerKindKey, tokenizer_kind_name(tokenizer.kind));
    return;
  }
  const TokenizerData defaults;
  set_metadata_texts(
      metadata,
      {{"do_lower_case", flag_text(tokenizer.lowercase)},
       {"strip_accents", tokenizer.strip_accents ? flag_text(*tokenizer.strip_accents) : "null"},
       {"tokenize_chinese_chars", flag_text(tokenizer.handle_chinese_chars)}});
  if (tokenizer.clean_text != defaults.clean_text) {
    set_metadata_texts(metadata, {{"clean_text", flag_text(tokenizer.clean_text)}});
  }
  if (tokenizer.continuing_subword_prefix != defaults.continuing_subword_prefix) {
    metadata.set("continuing_subword_prefix", tokenizer.continuing_subword_prefix);
  }
  if (tokenizer.max_input_chars_per_word != defaults.max_input_chars_per_word) {
    set_metadata_texts(metadata,
                       {{"max_input_chars_per_word", tokenizer.max_input_chars_per_word}});
  }
  if (tokenizer.added_tokens != special_added_tokens(tokenizer)) {
    metadata.set("added_tokens", added_tokens_to_json(tokenizer.added_tokens).dump());
  }
}

Result<void> read_tokenizer_metadata(const io::Json& metadata, TokenizerData& tokenizer) {
  AMBRY_RETURN_IF_ERROR(
      read_values(metadata, {{"do_lower_case", tokenizer.lowercase},
                             {"strip_accents", tokenizer.strip_accents},
                             {"tokenize_chinese_chars", tokenizer.handle_chinese_chars},
                             {"clean_text", tokenizer.clean_text},
                             {"max_input_chars_per_word", tokenizer.max_input_chars_per_word},
                             {"continuing_subword_prefix", tokenizer.continuing_subword_prefix}}));
  find_special_tokens(tokenizer);
  const auto text = metadata_text(metadata, "added_tokens");
  if (!text) {
    tokenizer.added_tokens = special_added_tokens(tokenizer);
    return {};
  }
  const auto list = io::parse_json(*text);
  if (!list) {
    return metadata_error(metadata, "added_tokens", ErrorCode::BadValue, list.error().message);
  }
  auto tokens = added_tokens_from_json(*list, "added_tokens");
  if (!tokens) {
    return metadata_error(metadata, "added_tokens", ErrorCode::BadValue, describe(tokens.error()));
  }
  tokenizer.added_tokens = std::move(*tokens);
  tokenizer.lists_added_tokens = true;
  return {};
}

void find_special_tokens(TokenizerData& tokenizer) {
  // A repeated string belongs to its last id.
  std::array<std::optional<uint32_t>, kSpecialTokens.size()> found;
  for (size_t id = 0; id < tokenizer.vocabulary.size(); ++id) {
    const std::string_view token = tokenizer.vocabulary[id];
    if (!token.starts_with('[')) continue;
    for (size_t i = 0; i < kSpecialTokens.size(); ++i) {
      if (token == kSpecialTokens[i].text) found[i] = static_cast<uint32_t>(id);
    }
  }
  for (size_t i = 0; i < kSpecialTokens.size(); ++i) {
    auto& id = tokenizer.*kSpecialTokens[i].id;
    if (!id) id = found[i];
  }
}

std::vector<AddedToken> special_added_tokens(const TokenizerData& tokenizer) {
  std::vector<AddedToken> tokens;
  for (const SpecialToken& special : kSpecialTokens) {
    const auto id = tokenizer.*special.id;
    if (!id) continue;
    AddedToken token;
    token.id = *id;
    token.content = *id < tokenizer.vocabulary.size() ? tokenizer.vocabulary[*id] : special.text;
    if (!token.content.empty()) tokens.push_back(std::move(token));
  }
  return tokens;
}

io::Json added_tokens_to_json(const std::vector<AddedToken>& tokens) {
  io::Json list = io::Json::array();
  for (const AddedToken& token : tokens) {
    io::Json& item = list.append(io::Json::object());
    item.set("id", token.id);
    item.set("content", token.content);
    for (const auto& [key, flag] : kTokenFlags) item.set(key, token.*flag);
  }
  return list;
}

Result<std::vector<AddedToken>> added_tokens_from_json(const io::Json& list,
                                                       std::string_view path) {
  if (!list.is_array()) {
    return error_at(ErrorCode::BadValue, list.byte_offset(), path, "expected a list");
  }
  std::vector<AddedToken> tokens;
  for (size_t i = 0; i < list.items().size(); ++i) {
    AMBRY_TRY(AddedToken token,
              added_token_from_json(list.items()[i], concat({path, "[", i, "]"})));
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace ambry::model
