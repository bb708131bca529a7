#include "text/wordpiece/wordpiece_decoder.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace ambry::text {
namespace {

std::string decode(std::initializer_list<std::string_view> tokens, std::string_view prefix = "##") {
  WordPieceDecoder decoder(prefix);
  for (const std::string_view token : tokens) decoder.add(token);
  return std::move(decoder).text();
}

TEST(WordPieceDecoder, JoinsContinuations) {
  EXPECT_EQ(decode({"un", "##want", "##ed", "run", "##ning"}), "unwanted running");
  EXPECT_EQ(decode({"##s", "a"}), "##s a");
  EXPECT_EQ(decode({}), "");
}

TEST(WordPieceDecoder, CleansEachTokenSeparately) {
  EXPECT_EQ(decode({"hello", ",", "world", "!"}), "hello, world!");
  EXPECT_EQ(decode({"do", "n't", "'s"}), "don't's");
  EXPECT_EQ(decode({"don", "'", "t"}), "don ' t");
  EXPECT_EQ(decode({"we", "do not"}), "we don't");
}

TEST(WordPieceDecoder, AnEmptyPrefixJoinsEverything) { EXPECT_EQ(decode({"a", "b"}, ""), "ab"); }

}  // namespace
}  // namespace ambry::text
