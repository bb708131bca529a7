// core/formats/embd/README.md#tokenizer-parts
#include "formats/embd/tokenizer/tokenizer_parts.h"

#include <gtest/gtest.h>

#include <limits>

#include "formats/conformance.h"
#include "formats/embd/make_tokenizers.h"
#include "formats/embd/read_embd.h"

namespace ambry::formats::embd {
namespace {

using model::TokenizerData;
using model::TokenizerKind;
using testing::F0Maker;
using testing::File;
using testing::Read;
using testing::read;
using testing::Tensor;

TokenizerData tokenizer_of(F0Maker maker) {
  Read result = read(maker.make());
  EXPECT_TRUE(result.clean()) << (result.model ? "" : describe(result.model.error()));
  return result.model && result.model->tokenizer ? *result.model->tokenizer : TokenizerData();
}

TEST(EmbdTokenizer, ReadsWordPieceWithOtherEnds) {
  const TokenizerData data = tokenizer_of(testing::wordpiece_maker());
  EXPECT_EQ(data.kind, TokenizerKind::WordPiece);
  EXPECT_EQ(data.post_processor, model::roberta_post_processor(2, 3));
  EXPECT_EQ(data.added_tokens.size(), 5U);
}

TEST(EmbdTokenizer, ReadsBpe) {
  const TokenizerData data = tokenizer_of(testing::bpe_maker());
  EXPECT_EQ(data.kind, TokenizerKind::Bpe);
  EXPECT_EQ(data.pretokenizer, "gpt2");
  ASSERT_EQ(data.merges.size(), 2U);
  EXPECT_EQ(data.merges[0], "a");
  EXPECT_EQ(data.merges[1], "b");
  EXPECT_EQ(data.post_processor, model::roberta_post_processor(2, 3));
  EXPECT_EQ(data.bos_id, 2U);
  EXPECT_TRUE(data.added_tokens.at(0).lstrip);
}

TEST(EmbdTokenizer, ReadsUnigramInFloatsAndDoubles) {
  const TokenizerData data = tokenizer_of(testing::unigram_maker());
  EXPECT_EQ(data.kind, TokenizerKind::Unigram);
  EXPECT_EQ(data.payload, testing::unigram_json());
  EXPECT_EQ(data.wide_scores.at(6), -1.5);
  EXPECT_TRUE(data.scores.empty());
  EXPECT_EQ(tokenizer_of(testing::wide_unigram_maker()).wide_scores.at(7), -3.3);
}

TEST(EmbdTokenizer, ReadsSentencePiece) {
  const TokenizerData data = tokenizer_of(testing::sentencepiece_maker());
  EXPECT_EQ(data.kind, TokenizerKind::SentencePieceUnigram);
  EXPECT_EQ(data.scores.at(7), -3);
  EXPECT_EQ(data.types, (std::vector<uint8_t>{3, 2, 3, 3, 4, 1, 1, 1}));
  EXPECT_EQ(data.add_eos, true);
}

TEST(EmbdTokenizer, KeepsItsPartsApartFromTheWeights) {
  F0Maker maker = testing::bpe_maker();
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model);
  EXPECT_EQ(result.model->tensors.size(), testing::tiny_tensors().size());
  const auto region =
      std::ranges::find(result.model->regions, "tokenizer.merges", &model::Region::name);
  ASSERT_NE(region, result.model->regions.end());
  EXPECT_EQ(region->bytes, 8U);
  EXPECT_GE(region->offset, maker.places.data);
}

TEST(EmbdTokenizer, IsNotRequestedWithoutTheVocabulary) {
  F0Maker maker = testing::unigram_maker();
  const File file = maker.make();
  uint64_t whole = 0;
  uint64_t head = 0;
  const Format& format = *find_format("embd");
  const auto all = formats::testing::read_in_parts(file, format, {}, &whole);
  const auto some =
      formats::testing::read_in_parts(file, format, {.options = {.vocabulary = false}}, &head);
  ASSERT_TRUE(all.accepted());
  ASSERT_TRUE(some.accepted());
  EXPECT_EQ(some.model->tokenizer->kind, TokenizerKind::Unigram);
  EXPECT_TRUE(some.model->tokenizer->payload.empty());
  EXPECT_EQ(some.model->tokenizer->token_count(), 8U);
  EXPECT_LE(head, maker.places.data + kFooterBytes);
  EXPECT_GT(whole, head + std::string_view(testing::unigram_json()).size());
}

// The error of a file with the change, which must be at the start of a tensor's description
// (`part`), or `within` bytes after the start of its data.
void expect_refused(F0Maker maker, ErrorCode code, std::string_view path, size_t part,
                    std::optional<uint64_t> within = std::nullopt) {
  const File file = maker.make();
  const Read result = read(file);
  ASSERT_FALSE(result.model) << path;
  const Error& error = result.model.error();
  EXPECT_EQ(error.code, code) << describe(error);
  EXPECT_EQ(error.path, path) << describe(error);
  const uint64_t index = maker.places.descriptor(part);
  const uint64_t data = maker.places.data + load_le<uint64_t>(file.data() + index + 24);
  EXPECT_EQ(error.byte_offset, within ? data + *within : index) << describe(error);
}

F0Maker with_part(F0Maker maker, size_t part, Tensor tensor) {
  maker.tensors[part] = std::move(tensor);
  return maker;
}

F0Maker with_settings(F0Maker maker, std::string settings) {
  return with_part(std::move(maker), 0,
                   testing::text_part("tokenizer.settings", std::move(settings)));
}

TEST(EmbdTokenizer, RefusesCountsThatAreNotTheVocabularys) {
  expect_refused(with_part(testing::unigram_maker(), 2, {"tokenizer.scores", {7}, testing::kF32}),
                 ErrorCode::Mismatch, "tokenizer.scores", 2);
  expect_refused(
      with_part(testing::sentencepiece_maker(), 2, {"tokenizer.types", {9}, testing::kU8}),
      ErrorCode::Mismatch, "tokenizer.types", 2);
}

TEST(EmbdTokenizer, RefusesPartsOfAnotherShapeOrType) {
  expect_refused(with_part(testing::bpe_maker(), 1, {"tokenizer.merges", {2}, testing::kU32}),
                 ErrorCode::BadValue, "tokenizer.merges", 1);
  expect_refused(with_part(testing::bpe_maker(), 1, {"tokenizer.merges", {1, 2}, testing::kF32}),
                 ErrorCode::BadValue, "tokenizer.merges", 1);
  expect_refused(
      with_part(testing::sentencepiece_maker(), 1, {"tokenizer.scores", {8, 2}, testing::kU32}),
      ErrorCode::BadValue, "tokenizer.scores", 1);
}

TEST(EmbdTokenizer, RefusesMergesOfNoTokens) {
  expect_refused(with_part(testing::bpe_maker(), 1,
                           {"tokenizer.merges", {1, 2}, testing::kU32, testing::words_of({5, 8})}),
                 ErrorCode::BadValue, "tokenizer.merges[0]", 1, 4);
}

TEST(EmbdTokenizer, RefusesMergesOfTooMuchText) {
  F0Maker maker = testing::bpe_maker();
  maker.tokens[5] = std::string(60'000, 'x');
  constexpr uint32_t kMerges = 600;
  std::string ids;
  for (uint32_t i = 0; i < kMerges; ++i) ids += testing::words_of({5, 5});
  // 67,108,864 bytes are 1118 tokens and a part of the next one, which is the first of merge 559.
  expect_refused(with_part(maker, 1, {"tokenizer.merges", {kMerges, 2}, testing::kU32, ids}),
                 ErrorCode::LimitExceeded, "tokenizer.merges[559]", 1, uint64_t{4} * 1118);
}

TEST(EmbdTokenizer, RefusesScoresAndTypesWithoutMeaning) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expect_refused(
      with_part(
          testing::unigram_maker(), 2,
          {"tokenizer.scores", {8}, testing::kF32, testing::floats_of({0, 0, 0, nan, 0, 0, 0, 0})}),
      ErrorCode::BadValue, "tokenizer.scores[3]", 2, 12);
  expect_refused(with_part(testing::sentencepiece_maker(), 2,
                           {"tokenizer.types", {8}, testing::kU8, {"\3\2\3\3\4\7\1\1", 8}}),
                 ErrorCode::BadValue, "tokenizer.types[5]", 2, 5);
}

TEST(EmbdTokenizer, RefusesDamagedSettings) {
  expect_refused(with_settings(testing::bpe_maker(), "[]"), ErrorCode::BadValue,
                 "tokenizer.settings", 0, 0);
  expect_refused(with_settings(testing::bpe_maker(), R"({"legacy":7})"), ErrorCode::BadValue,
                 "tokenizer.settings.legacy", 0, 10);
  expect_refused(with_settings(testing::bpe_maker(), R"({"legacy":tru})"), ErrorCode::BadValue,
                 "tokenizer.settings", 0, 13);
}

TEST(EmbdTokenizer, RefusesIdsThatAreNoTokens) {
  expect_refused(with_settings(testing::bpe_maker(), R"({"eos_id":8})"), ErrorCode::BadValue,
                 "tokenizer.settings.eos_id", 0, 10);
  expect_refused(
      with_settings(testing::bpe_maker(), R"({"added_tokens":[{"id":9,"content":"x"}]})"),
      ErrorCode::BadValue, "tokenizer.settings.added_tokens[0].id", 0, 17);
  const std::string post =
      R"({"post_processor":{"type":"BertProcessing","sep":["s",3],"cls":["c",12]}})";
  expect_refused(with_settings(testing::bpe_maker(), post), ErrorCode::BadValue,
                 "tokenizer.settings.post_processor", 0, 18);
}

TEST(EmbdTokenizer, RefusesAnUnknownPostProcessorByName) {
  expect_refused(with_settings(testing::bpe_maker(), R"({"post_processor":{"type":"Magic"}})"),
                 ErrorCode::Unsupported, "tokenizer.settings.post_processor", 0, 18);
}

TEST(EmbdTokenizer, RefusesPartsThatTheKindDoesNotHave) {
  expect_refused(with_part(testing::bpe_maker(), 1, {"tokenizer.scores", {8}, testing::kF32}),
                 ErrorCode::BadValue, "tokenizer.scores", 1);
  expect_refused(with_part(testing::bpe_maker(), 1, {"tokenizer.magic", {8}, testing::kU8}),
                 ErrorCode::Unsupported, "tokenizer.magic", 1);
}

TEST(EmbdTokenizer, NamesThePartThatIsMissing) {
  F0Maker maker = testing::unigram_maker();
  maker.tensors.erase(maker.tensors.begin() + 2);
  const Read result = read(maker.make());
  ASSERT_FALSE(result.model);
  EXPECT_EQ(result.model.error().code, ErrorCode::NotFound);
  EXPECT_EQ(result.model.error().path, "tokenizer.scores");
}

TEST(EmbdTokenizer, RefusesAnUnknownKindByName) {
  F0Maker maker = testing::bpe_maker();
  maker.metadata.back().second = "word_level";
  const Read result = read(maker.make());
  ASSERT_FALSE(result.model);
  EXPECT_EQ(result.model.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(result.model.error().path, "metadata.tokenizer_kind");
  EXPECT_NE(result.model.error().message.find("word_level"), std::string::npos);
}

TEST(EmbdTokenizer, RefusesPartsWithoutAVocabulary) {
  F0Maker maker = testing::bpe_maker();
  maker.flags &= ~kFlagVocabEmbedded;
  expect_refused(maker, ErrorCode::BadValue, "tokenizer.settings", 0);
}

}  // namespace
}  // namespace ambry::formats::embd
