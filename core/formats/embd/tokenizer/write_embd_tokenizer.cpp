#include "formats/embd/tokenizer/write_embd_tokenizer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "base/order.h"
#include "formats/embd/tokenizer/tokenizer_parts.h"
#include "formats/embd/tokenizer/tokenizer_settings.h"
#include "io/byte_writer.h"
#include "model/file/new_tensor.h"
#include "model/vocabulary/vocabulary_index.h"

namespace ambry::formats::embd {
namespace {

using model::TokenizerData;
using model::TokenizerKind;
using tensor::DType;

constexpr uint64_t kMaxIdGaps = 1 << 20;

bool is_sentencepiece(TokenizerKind kind) {
  return kind == TokenizerKind::SentencePieceBpe || kind == TokenizerKind::SentencePieceUnigram;
}

class PartsMaker {
 public:
  explicit PartsMaker(const TokenizerData& tokenizer) : tokenizer_(tokenizer) {}

  Result<std::vector<TokenizerPart>> make();

 private:
  void add(std::string_view name, DType dtype, const tensor::Shape& shape,
           std::vector<uint8_t> bytes) {
    parts_.push_back({model::new_tensor(name, dtype, shape), std::move(bytes)});
  }
  void add_text(std::string_view name, std::string_view text) {
    if (text.empty()) return;
    add(name, DType::U8, {text.size()}, {text.begin(), text.end()});
  }
  void add_scores();
  Result<void> add_merges();

  const TokenizerData& tokenizer_;
  std::vector<TokenizerPart> parts_;
};

Result<std::vector<TokenizerPart>> PartsMaker::make() {
  const TokenizerKind kind = tokenizer_.kind;
  if (kind == TokenizerKind::Custom || kind == TokenizerKind::Words ||
      (is_sentencepiece(kind) && !tokenizer_.ids.empty())) {
    return make_error(ErrorCode::Unsupported, "tokenizer",
                      {"EMBD cannot hold this tokenizer of the kind ", tokenizer_kind_name(kind)});
  }
  const std::string settings = tokenizer_settings_text(tokenizer_);
  // The settings say at least that a kind needs none.
  const bool needed = kind == TokenizerKind::Bpe || is_sentencepiece(kind);
  add_text(kSettingsPart, settings.empty() && needed ? "{}" : settings);
  if (kind == TokenizerKind::WordPiece) return std::move(parts_);
  if (kind == TokenizerKind::Unigram) add_text(kJsonPart, tokenizer_.payload);
  if (is_sentencepiece(kind) && !tokenizer_.payload.starts_with('{')) {
    add_text(kModelPart, tokenizer_.payload);
  }
  add_scores();
  if (is_sentencepiece(kind)) add_text(kTypesPart, as_text(tokenizer_.types));
  AMBRY_RETURN_IF_ERROR(add_merges());
  if (kind != TokenizerKind::Bpe) add_text(kCharsmapPart, tokenizer_.charsmap);
  return std::move(parts_);
}

// In f32 where that changes none of them.
void PartsMaker::add_scores() {
  const std::vector<double>& wide = tokenizer_.wide_scores;
  io::ByteWriter writer;
  if (tokenizer_.kind != TokenizerKind::Unigram) {
    if (tokenizer_.scores.empty() || !is_sentencepiece(tokenizer_.kind)) return;
    for (const float score : tokenizer_.scores) writer.put(std::bit_cast<uint32_t>(score));
    return add(kScoresPart, DType::F32, {tokenizer_.scores.size()}, writer.take());
  }
  const bool narrow = std::ranges::all_of(
      wide, [](double score) { return double{static_cast<float>(score)} == score; });
  for (const double score : wide) {
    if (narrow) {
      writer.put(std::bit_cast<uint32_t>(static_cast<float>(score)));
    } else {
      writer.put(std::bit_cast<uint64_t>(score));
    }
  }
  if (narrow) return add(kScoresPart, DType::F32, {wide.size()}, writer.take());
  add(kScoresPart, DType::U32, {wide.size(), 2}, writer.take());
}

Result<void> PartsMaker::add_merges() {
  const model::Vocabulary& merges = tokenizer_.merges;
  if (merges.empty()) return {};
  AMBRY_TRY(const model::Vocabulary tokens, tokens_by_id(tokenizer_));
  const model::VocabularyIndex index(tokens);
  io::ByteWriter writer;
  for (size_t i = 0; i < merges.size(); ++i) {
    const auto id = index.find(tokens, merges[i]);
    if (!id) {
      return make_error(
          ErrorCode::Unsupported, {"tokenizer.merges[", i / 2, "]"},
          {"EMBD stores merges as ids, but the vocabulary has no token \"", merges[i], "\""});
    }
    writer.put(*id);
  }
  add(kMergesPart, DType::U32, {merges.size() / 2, 2}, writer.take());
  return {};
}

}  // namespace

Result<std::vector<TokenizerPart>> make_tokenizer_parts(const TokenizerData& tokenizer) {
  return PartsMaker(tokenizer).make();
}

Result<model::Vocabulary> tokens_by_id(const TokenizerData& tokenizer) {
  if (tokenizer.ids.empty()) return tokenizer.vocabulary;
  const std::vector<uint32_t>& ids = tokenizer.ids;
  const uint64_t limit = tokenizer.vocabulary.size() + kMaxIdGaps;
  if (*std::ranges::max_element(ids) >= limit) {
    return make_error(ErrorCode::LimitExceeded, "vocabulary",
                      "the ids of the tokens leave more than a million gaps");
  }
  model::Vocabulary tokens;
  for (const uint32_t i :
       sorted_order(ids.size(), [&](uint32_t a, uint32_t b) { return ids[a] < ids[b]; })) {
    while (tokens.size() < ids[i]) tokens.push_back({});
    if (tokens.size() == ids[i]) tokens.push_back(tokenizer.vocabulary[i]);
  }
  return tokens;
}

}  // namespace ambry::formats::embd
