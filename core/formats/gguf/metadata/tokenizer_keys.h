// GGUF's names of tokenizers and special tokens, for the reader and the writer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "formats/gguf/metadata/gguf_layout.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::gguf {

// The values of `tokenizer.ggml.model`. Any other name is an unknown kind.
inline constexpr auto kTokenizerModels =
    std::to_array<std::pair<std::string_view, model::TokenizerKind>>(
        {{"llama", model::TokenizerKind::SentencePieceBpe},
         {"gpt2", model::TokenizerKind::Bpe},
         {"bert", model::TokenizerKind::WordPiece},
         {"t5", model::TokenizerKind::SentencePieceUnigram}});

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

// The pre-tokenizer of byte-level BPE (`tokenizer.ggml.pre`): llama.cpp's names and AMB's. The
// first of several is the one to write. By default, Llama 3's also looks for whole words among the
// tokens before it merges, and starts texts with BOS.
inline constexpr std::string_view kPreKey = "tokenizer.ggml.pre";
inline constexpr std::string_view kDefaultPre = "default";
inline constexpr auto kPreTokenizers = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"gpt-2", "gpt2"},
     {"phi-2", "gpt2"},
     {kDefaultPre, "gpt2"},
     {"modern-bert", "gpt2"},
     {"roberta-bpe", "gpt2"},
     {"jina-v1-en", "gpt2"},
     {"jina-v2-code", "gpt2"},
     {"jina-v2-de", "gpt2"},
     {"jina-v2-es", "gpt2"},
     {"jina-de", "gpt2"},
     {"jina-es", "gpt2"},
     {"llama-bpe", "llama3"},
     {"llama3", "llama3"},
     {"llama-v3", "llama3"},
     {"smaug-bpe", "llama3"},
     {"qwen2", "qwen2"},
     {"falcon", "falcon"},
     {"gptneox", "gptneox"},
     {"mpt", "gptneox"},
     {"olmo", "gptneox"},
     {"starcoder", "digits+gpt2"},
     {"refact", "digits+gpt2"},
     {"smollm", "digits+gpt2"},
     {"command-r", "digits+gpt2"},
     {"gpt-4o", "o200k"},
     {"bloom", "bloom"},
     {"deepseek-llm",
      "line_ends+deepseek_letters+deepseek_punctuation+last_spaces+deepseek_cjk+digits"},
     {"deepseek-coder", "line_ends+spaced_letters+spaced_punctuation+deepseek_cjk+digits"},
     {"deepseek-v3", "three_numbers+deepseek3_cjk+deepseek3"},
     {"none", "none"}});

using TokenizerFlag = std::optional<bool> model::TokenizerData::*;
inline constexpr auto kTokenizerFlags = std::to_array<std::pair<std::string_view, TokenizerFlag>>(
    {{"tokenizer.ggml.add_bos_token", &model::TokenizerData::add_bos},
     {"tokenizer.ggml.add_eos_token", &model::TokenizerData::add_eos},
     {"tokenizer.ggml.add_space_prefix", &model::TokenizerData::add_prefix_space},
     {"tokenizer.ggml.remove_extra_whitespaces", &model::TokenizerData::remove_extra_whitespaces}});

// Tokens that end a turn or a message also end a text.
inline constexpr auto kMoreEndIds =
    std::to_array<std::string_view>({"tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"});

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
