#include "model/encoder_metadata.h"

#include <algorithm>
#include <array>

#include "model/metadata_value.h"

namespace ambry::model {
namespace {

std::string number_text(double value) { return io::Json(value).dump(); }
std::string flag_text(bool value) { return value ? "true" : "false"; }

struct SpecialToken {
  std::string_view text;
  std::optional<uint32_t> TokenizerData::* id;
};

constexpr std::array<SpecialToken, 5> kSpecialTokens = {{{"[PAD]", &TokenizerData::pad_id},
                                                         {"[UNK]", &TokenizerData::unk_id},
                                                         {"[CLS]", &TokenizerData::cls_id},
                                                         {"[SEP]", &TokenizerData::sep_id},
                                                         {"[MASK]", &TokenizerData::mask_id}}};

Result<bool> flag_of(const io::Json& item, std::string_view key, bool fallback,
                     std::string_view path) {
  const io::Json* value = item.find(key);
  if (value == nullptr) return fallback;
  if (value->is_bool()) return value->boolean();
  return error_at(ErrorCode::BadValue, value->byte_offset(),
                  std::string(path) + '.' + std::string(key), "neither true nor false");
}

Result<AddedToken> added_token_from_json(const io::Json& item, const std::string& path) {
  const io::Json* id = item.find("id");
  const io::Json* content = item.find("content");
  if (id == nullptr || !id->is_uint() || id->uint() > UINT32_MAX) {
    return error_at(ErrorCode::BadValue, item.byte_offset(), path + ".id", "an id is missing");
  }
  if (content == nullptr || !content->is_string() || content->string().empty()) {
    return error_at(ErrorCode::BadValue, item.byte_offset(), path + ".content",
                    "a text is missing");
  }
  AddedToken token;
  token.id = static_cast<uint32_t>(id->uint());
  token.content = content->string();
  AMBRY_TRY(token.special, flag_of(item, "special", true, path));
  AMBRY_TRY(token.lstrip, flag_of(item, "lstrip", false, path));
  AMBRY_TRY(token.rstrip, flag_of(item, "rstrip", false, path));
  AMBRY_TRY(token.single_word, flag_of(item, "single_word", false, path));
  AMBRY_TRY(token.normalized, flag_of(item, "normalized", !token.special, path));
  return token;
}

}  // namespace

void set_encoder_metadata(const EncoderConfig& config, io::Json& metadata) {
  metadata.set("embedding_dim", std::to_string(config.hidden_size));
  metadata.set("vocab_size", std::to_string(config.vocab_size));
  metadata.set("num_layers", std::to_string(config.num_layers));
  metadata.set("num_attention_heads", std::to_string(config.num_heads));
  metadata.set("hidden_size", std::to_string(config.hidden_size));
  metadata.set("intermediate_size", std::to_string(config.intermediate_size));
  metadata.set("max_position_emb", std::to_string(config.max_positions));
  metadata.set("architecture", config.architecture);
  metadata.set("hidden_act", config.hidden_act);
  metadata.set("layer_norm_eps", number_text(config.layer_norm_eps));
  metadata.set("type_vocab_size", std::to_string(config.type_vocab_size));
  metadata.set("pooling_mode", config.pooling);
  metadata.set("normalize", flag_text(config.normalize));
  metadata.set("max_seq_length", std::to_string(config.max_seq_length));
  if (!config.prompts.empty()) {
    io::Json prompts = io::Json::object();
    for (const auto& [name, prompt] : config.prompts) prompts.set(name, prompt);
    metadata.set("prompts", prompts.dump());
  }
  if (!config.default_prompt_name.empty()) {
    metadata.set("default_prompt_name", config.default_prompt_name);
  }
  if (!config.include_prompt) metadata.set("include_prompt", "false");
}

void set_tokenizer_metadata(const TokenizerData& tokenizer, io::Json& metadata) {
  const TokenizerData defaults;
  metadata.set("do_lower_case", flag_text(tokenizer.lowercase));
  metadata.set("strip_accents",
               tokenizer.strip_accents ? flag_text(*tokenizer.strip_accents) : "null");
  metadata.set("tokenize_chinese_chars", flag_text(tokenizer.handle_chinese_chars));
  if (tokenizer.clean_text != defaults.clean_text) {
    metadata.set("clean_text", flag_text(tokenizer.clean_text));
  }
  if (tokenizer.continuing_subword_prefix != defaults.continuing_subword_prefix) {
    metadata.set("continuing_subword_prefix", tokenizer.continuing_subword_prefix);
  }
  if (tokenizer.max_input_chars_per_word != defaults.max_input_chars_per_word) {
    metadata.set("max_input_chars_per_word", std::to_string(tokenizer.max_input_chars_per_word));
  }
  if (tokenizer.added_tokens != special_added_tokens(tokenizer)) {
    metadata.set("added_tokens", added_tokens_to_json(tokenizer.added_tokens).dump());
  }
}

Result<void> read_tokenizer_metadata(const io::Json& metadata, TokenizerData& tokenizer) {
  AMBRY_TRY(const auto lowercase, metadata_bool(metadata, "do_lower_case"));
  tokenizer.lowercase = lowercase.value_or(tokenizer.lowercase);
  AMBRY_TRY(tokenizer.strip_accents, metadata_bool(metadata, "strip_accents"));
  AMBRY_TRY(const auto chinese, metadata_bool(metadata, "tokenize_chinese_chars"));
  tokenizer.handle_chinese_chars = chinese.value_or(tokenizer.handle_chinese_chars);
  AMBRY_TRY(const auto clean, metadata_bool(metadata, "clean_text"));
  tokenizer.clean_text = clean.value_or(tokenizer.clean_text);
  AMBRY_TRY(const auto max_chars, metadata_u32(metadata, "max_input_chars_per_word"));
  tokenizer.max_input_chars_per_word = max_chars.value_or(tokenizer.max_input_chars_per_word);
  if (const auto prefix = metadata_text(metadata, "continuing_subword_prefix")) {
    tokenizer.continuing_subword_prefix = *prefix;
  }
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
  return {};
}

void find_special_tokens(TokenizerData& tokenizer) {
  // Of a repeated string the last id counts, as everywhere.
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
    item.set("special", token.special);
    item.set("lstrip", token.lstrip);
    item.set("rstrip", token.rstrip);
    item.set("single_word", token.single_word);
    item.set("normalized", token.normalized);
  }
  return list;
}

Result<std::vector<AddedToken>> added_tokens_from_json(const io::Json& list,
                                                       std::string_view path) {
  if (!list.is_array()) {
    return error_at(ErrorCode::BadValue, list.byte_offset(), std::string(path), "not a list");
  }
  std::vector<AddedToken> tokens;
  for (size_t i = 0; i < list.items().size(); ++i) {
    AMBRY_TRY(
        AddedToken token,
        added_token_from_json(list.items()[i], std::string(path) + '[' + std::to_string(i) + ']'));
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace ambry::model
