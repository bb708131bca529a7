#include "formats/gguf/metadata/write_gguf_tokenizer.h"

#include <algorithm>
#include <string>

#include "formats/gguf/metadata/tokenizer_keys.h"

namespace ambry::formats::gguf {
namespace {

using model::TokenizerData;
using model::TokenizerKind;

void put_array_head(ValueType type, size_t length, io::ByteWriter& writer) {
  writer.put(static_cast<uint32_t>(ValueType::Array));
  writer.put(static_cast<uint32_t>(type));
  writer.put(static_cast<uint64_t>(length));
}

void put_text(std::string_view text, io::ByteWriter& writer) {
  writer.put(static_cast<uint64_t>(text.size()));
  writer.put_text(text);
}

// WordPiece in llama.cpp's form: `##ing` becomes `ing`, `word` gets a mark before it, and tokens
// that are not part of texts stay unchanged.
std::string marked_word(const TokenizerData& tokenizer, size_t id) {
  const std::string_view token = tokenizer.vocabulary[id];
  const bool plain =
      tokenizer.types.empty() ? in_brackets(token) : tokenizer.types[id] == kControlToken;
  if (plain) return std::string(token);
  if (token.starts_with(kContinuing)) return std::string(token.substr(kContinuing.size()));
  return concat({kWordStart, token});
}

void put_tokens(const TokenizerData& tokenizer, io::ByteWriter& writer) {
  put_array_head(ValueType::String, tokenizer.vocabulary.size(), writer);
  const bool words = tokenizer.kind == model::TokenizerKind::WordPiece;
  for (size_t id = 0; id < tokenizer.vocabulary.size(); ++id) {
    if (words) {
      put_text(marked_word(tokenizer, id), writer);
    } else {
      put_text(tokenizer.vocabulary[id], writer);
    }
  }
}

void put_merges(const model::Vocabulary& merges, io::ByteWriter& writer) {
  put_array_head(ValueType::String, merges.size() / 2, writer);
  for (size_t i = 0; i + 1 < merges.size(); i += 2) {
    put_text(concat({merges[i], " ", merges[i + 1]}), writer);
  }
}

Result<void> check(const TokenizerData& tokenizer) {
  if (tokenizer.n_tokens > 0 && tokenizer.vocabulary.empty()) {
    return make_error(ErrorCode::BadValue, "tokenizer", "its vocabulary was not read");
  }
  for (size_t i = 0; i < tokenizer.ids.size(); ++i) {
    if (tokenizer.ids[i] == i) continue;
    return make_error(ErrorCode::Unsupported, "tokenizer",
                      {"token ", i, " has the id ", tokenizer.ids[i],
                       "; GGUF holds the tokens in the order of their ids"});
  }
  const size_t n_tokens = tokenizer.vocabulary.size();
  const bool agree = (tokenizer.scores.empty() || tokenizer.scores.size() == n_tokens) &&
                     (tokenizer.types.empty() || tokenizer.types.size() == n_tokens);
  if (agree) return {};
  return make_error(ErrorCode::Mismatch, "tokenizer",
                    {"not as many scores and types as tokens, which are ", n_tokens});
}

}  // namespace

bool has_vocabulary_value(const TokenizerData& tokenizer, std::string_view key) {
  if (key == kTokensKey) return true;
  if (key == kScoresKey) return !tokenizer.scores.empty();
  if (key == kTokenTypesKey) return !tokenizer.types.empty();
  // llama.cpp refuses BPE without this list, which may be empty.
  if (key == kMergesKey) return tokenizer.kind == TokenizerKind::Bpe || !tokenizer.merges.empty();
  return !tokenizer.payload.empty();
}

Result<void> put_vocabulary_value(const TokenizerData& tokenizer, std::string_view key,
                                  ValueType types_as, io::ByteWriter& writer) {
  AMBRY_RETURN_IF_ERROR(check(tokenizer));
  if (key == kTokensKey) {
    put_tokens(tokenizer, writer);
  } else if (key == kScoresKey) {
    put_array_head(ValueType::F32, tokenizer.scores.size(), writer);
    writer.put_bytes(bytes_of(std::span<const float>(tokenizer.scores)));
  } else if (key == kTokenTypesKey) {
    put_array_head(types_as, tokenizer.types.size(), writer);
    for (const uint8_t type : tokenizer.types) writer.put(uint32_t{type});
  } else if (key == kMergesKey) {
    put_merges(tokenizer.merges, writer);
  } else {
    writer.put(static_cast<uint32_t>(ValueType::String));
    put_text(tokenizer.payload, writer);
  }
  return {};
}

std::optional<std::string_view> tokenizer_model_name(model::TokenizerKind kind) {
  const auto* known =
      std::ranges::find(kTokenizerModels, kind, [](const auto& row) { return row.second; });
  if (known == kTokenizerModels.end()) return std::nullopt;
  return known->first;
}

}  // namespace ambry::formats::gguf
