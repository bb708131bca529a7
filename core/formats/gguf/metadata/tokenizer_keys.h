// GGUF's names of tokenizers and special tokens, for the reader and the writer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "formats/gguf/metadata/gguf_layout.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::gguf {

inline constexpr std::string_view kGemma4 = "gemma4";

// The values of `tokenizer.ggml.model`. Any other name is an unknown kind.
inline constexpr auto kTokenizerModels =
    std::to_array<std::pair<std::string_view, model::TokenizerKind>>(
        {{"llama", model::TokenizerKind::SentencePieceBpe},
         {"gpt2", model::TokenizerKind::Bpe},
         {"bert", model::TokenizerKind::WordPiece},
         {"t5", model::TokenizerKind::SentencePieceUnigram},
         {kGemma4, model::TokenizerKind::SentencePieceBpe}});

// Converters write the misspelt name, so it comes first.
using TokenId = std::optional<uint32_t> model::TokenizerData::*;
inline constexpr auto kTokenIds = std::to_array<std::pair<std::string_view, TokenId>>(
    {{"tokenizer.ggml.bos_token_id", &model::TokenizerData::bos_id},
     {"tokenizer.ggml.eos_token_id", &model::TokenizerData::eos_id},
     {"tokenizer.ggml.unknown_token_id", &model::TokenizerData::unk_id},
     {"tokenizer.ggml.padding_token_id", &model::TokenizerData::pad_id},
     {"tokenizer.ggml.cls_token_id", &model::TokenizerData::cls_id},
     {"tokenizer.ggml.seperator_token_id", &model::TokenizerData::sep_id},
     {"tokenizer.ggml.separator_token_id", &model::TokenizerData::sep_id},
     {"tokenizer.ggml.mask_token_id", &model::TokenizerData::mask_id}});

using TokenizerFlag = std::optional<bool> model::TokenizerData::*;
inline constexpr auto kTokenizerFlags = std::to_array<std::pair<std::string_view, TokenizerFlag>>(
    {{"tokenizer.ggml.add_bos_token", &model::TokenizerData::add_bos},
     {"tokenizer.ggml.add_eos_token", &model::TokenizerData::add_eos},
     {"tokenizer.ggml.add_space_prefix", &model::TokenizerData::add_prefix_space},
     {"tokenizer.ggml.remove_extra_whitespaces", &model::TokenizerData::remove_extra_whitespaces}});

// Tokens that end a turn or a message also end an answer, and so does what follows a file in models
// that fill in code. The eos comes first.
inline constexpr auto kEndIds = std::to_array<std::string_view>(
    {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id",
     "tokenizer.ggml.fim_pad_token_id", "tokenizer.ggml.fim_rep_token_id",
     "tokenizer.ggml.fim_sep_token_id"});

// Whether a key has the id of a special token, or a list of ids.
[[nodiscard]] constexpr bool is_token_id_key(std::string_view key) {
  return key.starts_with("tokenizer.ggml.") && key.ends_with("_token_id");
}

// Converters write -1 in 32 bits for a special token that the model does not have.
[[nodiscard]] inline bool is_no_token(const io::Json& value) {
  if (value.is_uint()) return value.uint() == UINT32_MAX;
  return value.kind() == io::Json::Kind::Int && value.integer() == -1;
}

inline constexpr std::string_view kChatTemplateKey = "tokenizer.chat_template";
inline constexpr std::string_view kCharsmapKey = "tokenizer.ggml.precompiled_charsmap";

// The keys whose values go to Model::tokenizer.
inline constexpr std::array kVocabularyKeys = {kTokensKey, kScoresKey, kTokenTypesKey, kMergesKey,
                                               kTokenizerJsonKey};
[[nodiscard]] constexpr bool is_vocabulary_key(std::string_view key) {
  for (const std::string_view known : kVocabularyKeys) {
    if (known == key) return true;
  }
  return false;
}

// llama.cpp's mark for the start of a word in WordPiece, and our prefix for its continuation.
inline constexpr std::string_view kWordStart = "\xE2\x96\x81";
inline constexpr std::string_view kContinuing = "##";
[[nodiscard]] constexpr bool in_brackets(std::string_view token) {
  return token.starts_with('[') && token.ends_with(']');
}

}  // namespace ambry::formats::gguf
