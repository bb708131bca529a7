#include "text/sentencepiece/unigram.h"

#include <gtest/gtest.h>

#include "text/sentencepiece/make_pieces.h"

namespace ambry::text {
namespace {

constexpr auto kUnigram = model::SentencePieceModel::Type::Unigram;
using Ids = std::vector<uint32_t>;

SentencePieceVocabulary vocabulary_of(const std::vector<MadePiece>& pieces) {
  model::TokenizerData data = tokenizer_data(make_pieces(kUnigram, pieces));
  return std::move(SentencePieceVocabulary::create(data, false)).value();
}

// The ids, with 0 for unknown pieces.
Ids ids_of(const std::vector<MadePiece>& pieces, std::string_view text) {
  const SentencePieceVocabulary vocabulary = vocabulary_of(pieces);
  std::vector<PieceMatch> out;
  sentencepiece_unigram(vocabulary).encode(text, out);
  Ids ids;
  size_t n_bytes = 0;
  for (const PieceMatch& piece : out) {
    ids.push_back(piece.id == PieceMatch::kUnknown ? 0 : piece.id);
    n_bytes += piece.n_bytes;
  }
  EXPECT_EQ(n_bytes, text.size());
  return ids;
}

TEST(Unigram, FindsTheHighestSum) {
  const std::vector<MadePiece> pieces = {
      {"a", -1}, {"b", -1}, {"ab", -3}, {"abc", -2.5F}, {"c", -1}};
  EXPECT_EQ(ids_of(pieces, "ab"), (Ids{3, 4}));
  EXPECT_EQ(ids_of(pieces, "abc"), (Ids{6}));
  EXPECT_EQ(ids_of(pieces, "abcc"), (Ids{6, 7}));
  EXPECT_EQ(ids_of(pieces, ""), Ids());
}

TEST(Unigram, PrefersTheLongerLastPieceOfEqualSums) {
  EXPECT_EQ(ids_of({{"a", -1}, {"aa", -2}}, "aa"), (Ids{4}));
  EXPECT_EQ(ids_of({{"a", -1}, {"b", -1}, {"ab", -1}, {"bc", -1}, {"c", -1}}, "abc"), (Ids{3, 6}));
}

TEST(Unigram, ScoresUnknownTenBelowTheWorst) {
  EXPECT_EQ(ids_of({{"a", -1}, {"ab", -3}, {"c", -2}}, "b"), (Ids{0}));
  EXPECT_EQ(ids_of({{"a", -1}, {"ba", -14.5F}, {"c", -2}}, "ba"), (Ids{4}));
  EXPECT_EQ(ids_of({{"a", -1}, {"ba", -14.5F}, {"c", -2}}, "bc"), (Ids{0, 5}));
  EXPECT_EQ(ids_of({{"a", -1}}, "a\xC3\xA9"), (Ids{3, 0}));
}

TEST(Unigram, UserDefinedPiecesWinAgainstTheirParts) {
  const std::vector<MadePiece> pieces = {
      {"a", -1}, {"b", -0.5F}, {"ab", -100, PieceType::UserDefined}};
  EXPECT_EQ(ids_of(pieces, "ab"), (Ids{5}));
}

TEST(Unigram, SkipsUnusedAndControlPieces) {
  const std::vector<MadePiece> pieces = {
      {"a", -5}, {"b", -5}, {"ab", -1, PieceType::Unused}, {"ba", -1, PieceType::Control}};
  EXPECT_EQ(ids_of(pieces, "aba"), (Ids{3, 4, 3}));
}

// Near -1e8, a step of float is 8, so both splits have equal sums there.
TEST(Unigram, RoundsSumsToTheGivenType) {
  model::Vocabulary pieces;
  for (const char* piece : {"a", "b", "ab"}) pieces.push_back(piece);
  const std::vector<uint32_t> ids = {0, 1, 2};
  const PieceTrie trie = std::move(PieceTrie::build(pieces, ids)).value();
  const std::vector<double> scores = {-99'999'992, -8, -100'000'001};
  std::vector<PieceMatch> out;
  Unigram<double>(trie, scores, -1e9).encode("ab", out);
  EXPECT_EQ(out.size(), 2U);
  out.clear();
  Unigram<float>(trie, scores, -1e9F).encode("ab", out);
  EXPECT_EQ(out.size(), 1U);
}

// Encoding does not recurse and takes linear time.
TEST(Unigram, EncodesMegabytesOfOneCharacter) {
  const std::string text(3'000'000, 'a');
  EXPECT_EQ(ids_of({{"a", -1}, {"aaaa", -1}}, text).size(), 750'000U);
}

}  // namespace
}  // namespace ambry::text
