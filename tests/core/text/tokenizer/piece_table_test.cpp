#include "text/tokenizer/piece_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ambry::text {
namespace {

PieceTable make(const std::vector<std::string>& tokens, std::string prefix = "##") {
  model::Vocabulary vocabulary;
  for (const std::string& token : tokens) vocabulary.push_back(token);
  return {std::move(vocabulary), tokens.size(), std::move(prefix)};
}

std::optional<PieceTable::Match> longest(const PieceTable& table, std::string_view word,
                                         size_t first) {
  std::vector<uint32_t> ends;
  for (size_t i = 1; i <= word.size(); ++i) ends.push_back(static_cast<uint32_t>(i));
  std::vector<uint32_t> hashes;
  return table.longest(word, ends, first, hashes);
}

TEST(PieceTable, FindsWholeTokens) {
  const PieceTable table = make({"a", "ab", "##b", ""}, "##");
  EXPECT_EQ(table.find("ab"), 1U);
  EXPECT_EQ(table.find("##b"), 2U);
  EXPECT_EQ(table.find("b"), std::nullopt);
  EXPECT_EQ(table.find(""), std::nullopt);
}

TEST(PieceTable, ARepeatedTokenBelongsToItsLastId) {
  const PieceTable table = make({"a", "b", "a"}, "##");
  EXPECT_EQ(table.find("a"), 2U);
}

TEST(PieceTable, FindsTheLongestPiece) {
  const PieceTable table = make({"a", "abc", "##b", "##bcd", "##c"}, "##");
  const auto first = longest(table, "abcd", 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->id, 1U);
  EXPECT_EQ(first->n_chars, 3U);
  const auto second = longest(table, "abcd", 1);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->id, 3U);
  EXPECT_FALSE(longest(table, "abcd", 3));
}

TEST(PieceTable, SplitsOnlyBetweenChars) {
  const PieceTable table = make({"\xC3", "\xC3\xA9"}, "##");
  std::vector<uint32_t> hashes;
  const std::vector<uint32_t> ends = {2};
  EXPECT_EQ(table.longest("\xC3\xA9", ends, 0, hashes)->id, 1U);
  EXPECT_FALSE(table.longest("\xC3\xA8", ends, 0, hashes));
}

TEST(PieceTable, AnEmptyPrefixMakesNoDifferenceInsideAWord) {
  const PieceTable table = make({"a", "b"}, "");
  EXPECT_EQ(longest(table, "ab", 1)->id, 1U);
}

TEST(PieceTable, FindsOnlyTheFirstTokens) {
  model::Vocabulary vocabulary;
  for (const char* token : {"a", "b"}) vocabulary.push_back(token);
  const PieceTable table(std::move(vocabulary), 1, "##");
  EXPECT_EQ(table.find("a"), 0U);
  EXPECT_EQ(table.find("b"), std::nullopt);
}

TEST(PieceTable, MayBeEmpty) {
  const PieceTable table = make({}, "##");
  EXPECT_EQ(table.find("a"), std::nullopt);
  EXPECT_FALSE(longest(table, "a", 0));
}

TEST(PieceTable, HoldsManyTokens) {
  model::Vocabulary many;
  for (int i = 0; i < 100000; ++i) many.push_back("t" + std::to_string(i));
  const PieceTable table(std::move(many), 100000, "##");
  for (uint32_t i = 0; i < 100000; ++i) ASSERT_EQ(table.find("t" + std::to_string(i)), i);
  EXPECT_EQ(table.find("t100000"), std::nullopt);
}

}  // namespace
}  // namespace ambry::text
