#include "text/piece_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ambry::text {
namespace {

model::Vocabulary vocabulary(const std::vector<std::string>& tokens) {
  model::Vocabulary out;
  for (const std::string& token : tokens) out.push_back(token);
  return out;
}

std::optional<PieceTable::Match> longest(const PieceTable& table, std::string_view word,
                                         size_t first) {
  std::vector<uint32_t> ends;
  for (size_t i = 1; i <= word.size(); ++i) ends.push_back(static_cast<uint32_t>(i));
  std::vector<uint32_t> hashes;
  return table.longest(word, ends, first, hashes);
}

TEST(PieceTable, FindsWholeTokens) {
  const PieceTable table(vocabulary({"a", "ab", "##b", ""}), "##");
  EXPECT_EQ(table.find("ab"), 1U);
  EXPECT_EQ(table.find("##b"), 2U);
  EXPECT_EQ(table.find("b"), std::nullopt);
  EXPECT_EQ(table.find(""), std::nullopt);
}

TEST(PieceTable, ARepeatedTokenBelongsToItsLastId) {
  const PieceTable table(vocabulary({"a", "b", "a"}), "##");
  EXPECT_EQ(table.find("a"), 2U);
}

TEST(PieceTable, FindsTheLongestPiece) {
  const PieceTable table(vocabulary({"a", "abc", "##b", "##bcd", "##c"}), "##");
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
  const PieceTable table(vocabulary({"\xC3", "\xC3\xA9"}), "##");
  std::vector<uint32_t> hashes;
  const std::vector<uint32_t> ends = {2};
  EXPECT_EQ(table.longest("\xC3\xA9", ends, 0, hashes)->id, 1U);
  EXPECT_FALSE(table.longest("\xC3\xA8", ends, 0, hashes));
}

TEST(PieceTable, AnEmptyPrefixMakesNoDifferenceInsideAWord) {
  const PieceTable table(vocabulary({"a", "b"}), "");
  EXPECT_EQ(longest(table, "ab", 1)->id, 1U);
}

TEST(PieceTable, HoldsNothing) {
  const PieceTable table({}, "##");
  EXPECT_EQ(table.find("a"), std::nullopt);
  EXPECT_FALSE(longest(table, "a", 0));
}

TEST(PieceTable, HoldsManyTokens) {
  model::Vocabulary many;
  for (int i = 0; i < 100000; ++i) many.push_back("t" + std::to_string(i));
  const PieceTable table(std::move(many), "##");
  for (uint32_t i = 0; i < 100000; ++i) ASSERT_EQ(table.find("t" + std::to_string(i)), i);
  EXPECT_EQ(table.find("t100000"), std::nullopt);
}

}  // namespace
}  // namespace ambry::text
