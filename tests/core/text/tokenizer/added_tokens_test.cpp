#include "text/tokenizer/added_tokens.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ambry::text {
namespace {

struct Flags {
  bool lstrip = false;
  bool rstrip = false;
  bool single_word = false;
  bool normalized = false;
};

model::AddedToken token(uint32_t id, std::string content, Flags flags = {}) {
  return {id,
          std::move(content),
          true,
          flags.lstrip,
          flags.rstrip,
          flags.single_word,
          flags.normalized};
}

// `begin-end:id` of each match.
std::string matches(const AddedTokenMatcher& matcher, std::string_view text) {
  std::vector<AddedTokenMatcher::Match> found;
  matcher.find(text, found);
  std::string out;
  for (const auto& match : found) {
    out += (out.empty() ? "" : " ") + std::to_string(match.begin) + "-" +
           std::to_string(match.end) + ":" + std::to_string(match.id);
  }
  return out;
}

std::string raw_matches(std::vector<model::AddedToken> tokens, std::string_view text) {
  return matches(AddedTokens(std::move(tokens), {}).raw(), text);
}

TEST(AddedTokens, FindsTheLeftmostThenTheLongest) {
  const std::vector<model::AddedToken> tokens = {token(1, "ab"), token(2, "abcd"),
                                                 token(3, "bcde")};
  EXPECT_EQ(raw_matches(tokens, "xabcde"), "1-5:2");
  EXPECT_EQ(raw_matches(tokens, "abc abcd bcde"), "0-2:1 4-8:2 9-13:3");
  EXPECT_EQ(raw_matches(tokens, "a b"), "");
}

TEST(AddedTokens, TakesWhiteSpaceOnTheStrippedSide) {
  EXPECT_EQ(raw_matches({token(1, "@", {.lstrip = true})}, "a \u3000@ b"), "1-6:1");
  EXPECT_EQ(raw_matches({token(1, "@", {.rstrip = true})}, "a @\t\u00A0b"), "2-6:1");
  EXPECT_EQ(raw_matches({token(1, "@", {.lstrip = true, .rstrip = true})}, "@  @"), "0-3:1 3-4:1");
}

TEST(AddedTokens, StrippedWhiteSpaceStillCountsForTheNextMatch) {
  const std::vector<model::AddedToken> tokens = {token(1, "@", {.rstrip = true}), token(2, "  ")};
  EXPECT_EQ(raw_matches(tokens, "@    b"), "0-5:1 1-3:2 3-5:2");
  EXPECT_EQ(raw_matches({tokens[0], token(2, "  ", {.lstrip = true})}, "@    b"), "0-5:1");
}

TEST(AddedTokens, DoesNotMatchSingleWordsInsideWords) {
  const std::vector<model::AddedToken> tokens = {token(1, "go", {.single_word = true})};
  EXPECT_EQ(raw_matches(tokens, "go go, (go)"), "0-2:1 3-5:1 8-10:1");
  EXPECT_EQ(raw_matches(tokens, "gone _go \u00E9go go1 go\u0301"), "");
  EXPECT_EQ(raw_matches(tokens, "\xFFgo\xFF"), "1-3:1");
}

TEST(AddedTokens, FindsNormalizedTokensInNormalizedText) {
  const AddedTokens tokens({token(1, "Caf\u00E9", {.normalized = true}), token(2, "@")},
                           {"cafe", "@"});
  EXPECT_EQ(matches(tokens.normalized(), "a cafe"), "2-6:1");
  EXPECT_EQ(matches(tokens.normalized(), "Caf\u00E9 @"), "");
  EXPECT_EQ(matches(tokens.raw(), "Caf\u00E9 @"), "6-7:2");
}

// As npm tokenizers 0.23.2: such a token is not left out of decoded text, for no special token has
// this content.
TEST(AddedTokens, NormalizedTokensHaveNormalizedText) {
  const AddedTokens tokens({token(1, "[SEP]", {.normalized = true}), token(2, "[CLS]")},
                           {"[sep]", "[cls]"});
  EXPECT_EQ(tokens.text(1), "[sep]");
  EXPECT_FALSE(tokens.is_special(*tokens.text(1)));
  EXPECT_EQ(tokens.text(2), "[CLS]");
  EXPECT_EQ(tokens.find("[SEP]")->id, 1U);
}

TEST(AddedTokens, PrefersTheSpecialOneOfEqualStrings) {
  model::AddedToken plain = token(1, "@");
  plain.special = false;
  EXPECT_EQ(raw_matches({plain, token(2, "@")}, "@"), "0-1:2");
}

TEST(AddedTokens, AreFoundByIdAndContent) {
  const AddedTokens tokens({token(7, "@"), token(3, "#")}, {});
  EXPECT_EQ(tokens.text(7), "@");
  EXPECT_EQ(tokens.find("#")->id, 3U);
  EXPECT_EQ(tokens.text(4), std::nullopt);
  EXPECT_EQ(tokens.id_limit(), 8U);
  EXPECT_TRUE(tokens.is_special("@"));
  EXPECT_FALSE(tokens.is_special("x"));
}

TEST(AddedTokens, IgnoresEmptyOnes) { EXPECT_EQ(raw_matches({token(1, "")}, "abc"), ""); }

}  // namespace
}  // namespace ambry::text
