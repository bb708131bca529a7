// Vocabularies that cannot be run, and vocabularies without types.
#include "text/sentencepiece/sentencepiece_vocabulary.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "text/sentencepiece/make_pieces.h"

namespace ambry::text {
namespace {

using model::TokenizerData;

TokenizerData small() {
  return tokenizer_data(
      make_pieces(model::SentencePieceModel::Type::Bpe, {{"a", -1}, {"b", -2}, {"ab", -3}}));
}

struct Fault {
  const char* name;
  std::function<void(TokenizerData&)> damage;
  bool byte_fallback;
  ErrorCode code;
  const char* message;
};

TEST(SentencePieceVocabulary, RejectsInvalidVocabularies) {
  const Fault kFaults[] = {
      {"NaN", [](auto& d) { d.scores[4] = std::numeric_limits<float>::quiet_NaN(); }, false,
       ErrorCode::BadValue, "the score of piece 4 is not finite"},
      {"infinite", [](auto& d) { d.scores[3] = -std::numeric_limits<float>::infinity(); }, false,
       ErrorCode::BadValue, "the score of piece 3 is not finite"},
      {"scores", [](auto& d) { d.scores.pop_back(); }, false, ErrorCode::BadValue,
       "6 pieces, 0 ids, 5 scores, 6 types"},
      {"type", [](auto& d) { d.types[2] = 7; }, false, ErrorCode::BadValue, "type of piece 2"},
      {"no unknown piece", [](auto& d) { d.types[0] = 1, d.unk_id.reset(); }, false,
       ErrorCode::NotFound, "there is no unknown piece"},
      {"unknown id outside", [](auto& d) { d.types[0] = 1, d.unk_id = 6; }, false,
       ErrorCode::BadValue, "no piece has the unknown id 6"},
      {"bytes", [](auto&) {}, true, ErrorCode::NotFound, "byte 0 has no piece"},
      {"UTF-8",
       [](auto& d) {
         d.vocabulary = {};
         for (int i = 0; i < 6; ++i) d.vocabulary.push_back("\xC3");
       },
       false, ErrorCode::BadValue, "piece 0 is not valid UTF-8"},
      {"long",
       [](auto& d) {
         d.vocabulary = {};
         for (int i = 0; i < 6; ++i) d.vocabulary.push_back(std::string(1025, 'a'));
       },
       false, ErrorCode::LimitExceeded, "piece 0 has 1025 bytes, but at most 1024"},
      {"ids", [](auto& d) { d.ids = {0, 1, 2, 3, 4, UINT32_MAX}; }, false, ErrorCode::LimitExceeded,
       "the ids go up to 4294967295, but there are only 6 pieces"}};
  for (const Fault& fault : kFaults) {
    TokenizerData data = small();
    fault.damage(data);
    const auto made = SentencePieceVocabulary::create(data, fault.byte_fallback);
    ASSERT_FALSE(made) << fault.name;
    EXPECT_EQ(made.error().code, fault.code) << fault.name;
    EXPECT_EQ(made.error().path, "tokenizer.vocabulary");
    EXPECT_NE(made.error().message.find(fault.message), std::string::npos) << made.error().message;
  }
}

TEST(SentencePieceVocabulary, FindsTheLastOfEqualPieces) {
  TokenizerData data = small();
  data.vocabulary.push_back("a");
  data.scores.push_back(-9);
  data.types.push_back(1);
  const auto made = SentencePieceVocabulary::create(data, false);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->text.find("a"), 6U);
  EXPECT_EQ(made->pieces[3], "a");
}

TEST(SentencePieceVocabulary, OrdersPiecesById) {
  TokenizerData data = small();
  data.ids = {0, 1, 2, 9, 7, 3};
  const auto made = SentencePieceVocabulary::create(data, false);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->pieces.size(), 10U);
  EXPECT_EQ(made->text.find("a"), 9U);
  EXPECT_EQ(made->text.find("ab"), 3U);
  EXPECT_EQ(made->scores[7], -2);
  EXPECT_FALSE(made->is_known(4));
  EXPECT_TRUE(made->is_known(7));
}

TEST(SentencePieceVocabulary, DerivesTypesFromSpellingAndIds) {
  TokenizerData data = small();
  for (const MadePiece& piece : byte_pieces()) {
    data.vocabulary.push_back(piece.text);
    data.scores.push_back(0);
  }
  data.types.clear();
  const auto made = SentencePieceVocabulary::create(data, true);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_TRUE(made->is(0, PieceType::Unknown));
  EXPECT_TRUE(made->is(1, PieceType::Control));
  EXPECT_TRUE(made->is(2, PieceType::Control));
  EXPECT_TRUE(made->is(3, PieceType::Normal));
  EXPECT_TRUE(made->is(6, PieceType::Byte));
  EXPECT_EQ((*made->bytes)[0xFE], 6U + 0xFE);
  EXPECT_FALSE(made->text.find("<s>"));
  EXPECT_FALSE(made->text.find("<0x41>"));
}

TEST(SentencePieceVocabulary, AcceptsAQuarterOfAMillionPieces) {
  TokenizerData data;
  data.kind = model::TokenizerKind::SentencePieceUnigram;
  for (uint32_t i = 0; i < 250'000; ++i) data.vocabulary.push_back(std::to_string(i));
  data.unk_id = 0;
  const auto made = SentencePieceVocabulary::create(data, false);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->text.find("249999"), 249'999U);
}

TEST(BytePieces, HaveTwoHexadecimalDigits) {
  EXPECT_EQ(byte_of_piece("<0x0A>"), 10);
  EXPECT_EQ(byte_of_piece("<0xff>"), 255);
  for (const char* other : {"<0x0A", "<0x0AB>", "<0xGA>", "<0x-1>", "[0x0A]", "<0x0A)", ""}) {
    EXPECT_FALSE(byte_of_piece(other)) << other;
  }
}

}  // namespace
}  // namespace ambry::text
