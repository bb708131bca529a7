#include "text/sentencepiece/sentencepiece_bpe.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "text/sentencepiece/make_pieces.h"

namespace ambry::text {
namespace {

constexpr auto kBpe = model::SentencePieceModel::Type::Bpe;
using Pieces = std::vector<std::string>;

// The pieces of the text as they are spelled. Unknown ones are in brackets.
Pieces joined(const std::vector<MadePiece>& pieces, std::string_view text,
              MergeOrder order = MergeOrder::Score) {
  model::TokenizerData data = tokenizer_data(make_pieces(kBpe, pieces));
  if (order == MergeOrder::Id) data.scores.clear();
  const auto vocabulary = std::move(SentencePieceVocabulary::create(data, false)).value();
  std::vector<PieceMatch> out;
  SentencePieceBpe(vocabulary, order, "_").encode(text, out);
  Pieces found;
  for (const PieceMatch& piece : out) {
    const std::string spelled(text.substr(0, piece.n_bytes));
    const bool unknown = piece.id == PieceMatch::kUnknown;
    EXPECT_TRUE(unknown || vocabulary.pieces[piece.id] == spelled);
    found.push_back(unknown ? "[" + spelled + "]" : spelled);
    text.remove_prefix(piece.n_bytes);
  }
  EXPECT_TRUE(text.empty());
  return found;
}

TEST(SentencePieceBpe, MergesTheBestPairFirst) {
  const std::vector<MadePiece> pieces = {{"a", -9}, {"b", -9}, {"c", -9}, {"ab", -2}, {"bc", -1}};
  EXPECT_EQ(joined(pieces, "abc"), (Pieces{"a", "bc"}));
  EXPECT_EQ(joined(pieces, "abab"), (Pieces{"ab", "ab"}));
  EXPECT_EQ(joined(pieces, ""), Pieces());
}

TEST(SentencePieceBpe, MergesTheLeftmostOfEqualScoresFirst) {
  EXPECT_EQ(joined({{"a", -1}, {"aa", -2}}, "aaaaa"), (Pieces{"aa", "aa", "a"}));
  const std::vector<MadePiece> pieces = {{"a", -1}, {"b", -1}, {"c", -1}, {"bc", -1}, {"ab", -1}};
  EXPECT_EQ(joined(pieces, "abc"), (Pieces{"ab", "c"}));
}

TEST(SentencePieceBpe, MergesCharactersThatAreNotPieces) {
  EXPECT_EQ(joined({{"xy", -1}, {"a", -1}}, "axyx"), (Pieces{"a", "xy", "[x]"}));
  EXPECT_EQ(joined({{"xy", -1}, {"a", -1}}, "axyx", MergeOrder::Split),
            (Pieces{"a", "[x]", "[y]", "[x]"}));
}

TEST(SentencePieceBpe, NeverSplitsUserDefinedPieces) {
  const std::vector<MadePiece> pieces = {{"a", -1},
                                         {"b", -1},
                                         {"ab", -1},
                                         {"aba", 0},
                                         {"ba", -3, PieceType::UserDefined},
                                         {"bab", -3, PieceType::UserDefined}};
  EXPECT_EQ(joined(pieces, "abab"), (Pieces{"a", "bab"}));
  EXPECT_EQ(joined(pieces, "aba"), (Pieces{"a", "ba"}));
}

TEST(SentencePieceBpe, SplitsUnusedPieces) {
  const std::vector<MadePiece> pieces = {{"a", -1},
                                         {"b", -1},
                                         {"ab", -2, PieceType::Unused},
                                         {"abab", -3, PieceType::Unused},
                                         {"aba", -4}};
  EXPECT_EQ(joined(pieces, "abab"), (Pieces{"a", "b", "a", "b"}));
  EXPECT_EQ(joined(pieces, "aba"), (Pieces{"aba"}));
  EXPECT_EQ(joined({{"a", -1, PieceType::Unused}}, "a"), (Pieces{"a"}));
}

TEST(SentencePieceBpe, NeverGivesControlOrUnknownPieces) {
  const std::vector<MadePiece> pieces = {{"<", -1}, {"s", -1}, {">", -1}, {"s>", -1}, {"<s", -2}};
  EXPECT_EQ(joined(pieces, "<s>"), (Pieces{"<", "s>"}));
}

TEST(SentencePieceBpe, MergesByIdWithoutScoresAndSpacesLast) {
  const std::vector<MadePiece> pieces = {{"__"}, {"_"}, {"_a"}, {"a"}, {"aa"}};
  EXPECT_EQ(joined(pieces, "__aa", MergeOrder::Id), (Pieces{"_", "_a", "a"}));
  EXPECT_EQ(joined(pieces, "____", MergeOrder::Id), (Pieces{"__", "__"}));
}

TEST(SentencePieceBpe, HuggingFaceMergesLongerPartsFirst) {
  // abc as ab+c and, further left, as a+bc: one piece with two entries in the list of merges.
  const std::vector<MadePiece> pieces = {{"a", -9},   {"b", -9},  {"c", -9}, {"ab", -2}, {"bc", -1},
                                         {"abc", -3}, {"xy", -3}, {"x", -9}, {"y", -9}};
  EXPECT_EQ(joined(pieces, "abc", MergeOrder::Split), (Pieces{"abc"}));
  // With equal scores, de+f comes before a+b, although it is further right.
  const std::vector<MadePiece> equal = {{"a", -9},  {"d", -9},  {"e", -9},  {"f", -9},
                                        {"de", -1}, {"fd", -2}, {"def", -2}};
  EXPECT_EQ(joined(equal, "fdedef"), (Pieces{"f", "de", "def"}));
  EXPECT_EQ(joined(equal, "fdedef", MergeOrder::Split), (Pieces{"f", "de", "def"}));
  const std::vector<MadePiece> tie = {{"a", -9},  {"b", -9},  {"c", -9},
                                      {"ab", -1}, {"ca", -2}, {"abc", -2}};
  EXPECT_EQ(joined(tie, "abca"), (Pieces{"abc", "a"}));
  EXPECT_EQ(joined(tie, "caab"), (Pieces{"ca", "ab"}));
}

TEST(SentencePieceBpe, PiecesMaySpanWords) {
  const std::vector<MadePiece> pieces = {{"a", -1}, {"_", -1}, {"a_", -2}, {"_a", -3}, {"a_a", -4}};
  EXPECT_EQ(joined(pieces, "_a_a"), (Pieces{"_", "a_a"}));
}

TEST(SentencePieceBpe, GivesTheSameWordByWord) {
  std::vector<MadePiece> pieces = {{"a", -1},  {"b", -1},  {"_", -9},   {"_a", -2}, {"__", -8},
                                   {"ab", -3}, {"ba", -4}, {"_ab", -5}, {"___", -7}};
  std::vector<MadePiece> across = pieces;
  across.push_back({"b_zzz", -6});  // prevents splitting into words
  const std::string_view kTexts[] = {"_ab_ba__abab", "____a_b_", "a", "_", "ab___ab_a_", "b__"};
  for (const std::string_view text : kTexts) EXPECT_EQ(joined(pieces, text), joined(across, text));
}

TEST(SentencePieceBpe, GivesTheSamePartByPart) {
  constexpr std::string_view kLetters[] = {"a", "b", ".", ",", "_", "\xC3\xA9", "\xE2\x96\x81"};
  std::minstd_rand random(7);
  const auto some_text = [&](size_t n) {
    std::string text;
    for (size_t i = 0; i < n; ++i) text += kLetters[random() % std::size(kLetters)];
    return text;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<MadePiece> pieces;
    for (const std::string_view letter : kLetters) {
      // A character that is no piece stays unknown.
      if (random() % 5 > 0) pieces.push_back({std::string(letter), -20});
    }
    for (int i = 0; i < 12; ++i) {
      const bool whole = random() % 8 == 0;
      pieces.push_back({some_text(2 + random() % 3), -static_cast<float>(1 + random() % 9),
                        whole ? PieceType::UserDefined : PieceType::Normal});
    }
    std::vector<MadePiece> unsplit = pieces;
    unsplit.push_back({"qzq", -30, PieceType::Unused});  // prevents the split into parts
    const std::string text = some_text(40);
    for (const MergeOrder order : {MergeOrder::Score, MergeOrder::Split}) {
      EXPECT_EQ(joined(pieces, text, order), joined(unsplit, text, order));
    }
  }
}

TEST(SentencePieceBpe, RepeatsWhatItKeepsOfAText) {
  std::vector<MadePiece> pieces = {{"a", -9}, {"b", -9}, {"_", -9}, {"ab", -1}, {"_ab", -2}};
  model::TokenizerData data = tokenizer_data(make_pieces(kBpe, pieces));
  const auto vocabulary = std::move(SentencePieceVocabulary::create(data, false)).value();
  const SentencePieceBpe bpe(vocabulary, MergeOrder::Score, "_");
  const auto ids = [&](std::string_view text) {
    std::vector<PieceMatch> out;
    bpe.encode(text, out);
    std::vector<uint32_t> found;
    for (const PieceMatch& piece : out) found.push_back(piece.id);
    return found;
  };
  const std::vector<uint32_t> first = ids("_ab_ba?_ab");
  EXPECT_EQ(ids("_ab_ba?_ab"), first);
  EXPECT_EQ(first.front(), first.back());
}

TEST(SentencePieceBpe, EncodesALongRunOfOneCharacter) {
  std::vector<MadePiece> pieces;
  for (int i = 0; i < 10; ++i) {
    pieces.push_back({std::string(size_t{1} << i, 'a'), -static_cast<float>(i)});
  }
  model::TokenizerData data = tokenizer_data(make_pieces(kBpe, pieces));
  const auto vocabulary = std::move(SentencePieceVocabulary::create(data, false)).value();
  std::vector<PieceMatch> out;
  SentencePieceBpe(vocabulary, MergeOrder::Score, "_").encode(std::string(1 << 18, 'a'), out);
  EXPECT_EQ(out.size(), (1U << 18) / 512);
}

}  // namespace
}  // namespace ambry::text
