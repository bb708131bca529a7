#include "generate/answer/answer_text.h"

#include <gtest/gtest.h>

namespace ambry::generate {
namespace {

using Texts = std::vector<std::string>;

Texts taken(AnswerText& answer) {
  Texts texts;
  for (const AnswerText::Token& token : answer.take()) texts.push_back(token.text);
  return texts;
}

TEST(AnswerText, ReturnsTokensAsTheyArrive) {
  AnswerText answer({});
  EXPECT_FALSE(answer.push("one"));
  EXPECT_EQ(taken(answer), Texts{"one"});
  EXPECT_FALSE(answer.push(" two"));
  EXPECT_EQ(taken(answer), Texts{" two"});
  answer.finish({});
  EXPECT_EQ(taken(answer), Texts{});
  EXPECT_EQ(answer.text(), "one two");
}

TEST(AnswerText, ReturnsTokensAtOnceWithoutATokenizer) {
  AnswerText answer({}, false);
  EXPECT_FALSE(answer.push({}));
  EXPECT_EQ(taken(answer), Texts{""});
  EXPECT_FALSE(answer.push({}));
  EXPECT_EQ(taken(answer), Texts{""});
  AnswerText with_texts({});
  EXPECT_FALSE(with_texts.push({}));
  EXPECT_EQ(taken(with_texts), Texts{});
}

TEST(AnswerText, HoldsBackTextThatMayBecomeAStopText) {
  AnswerText answer({"\n\nUser:"});
  EXPECT_FALSE(answer.push("Hello"));
  EXPECT_FALSE(answer.push(".\n"));
  EXPECT_EQ(taken(answer), Texts{"Hello"});
  EXPECT_FALSE(answer.push("\nUs"));
  EXPECT_EQ(taken(answer), Texts{});
  EXPECT_FALSE(answer.push("ing it"));
  EXPECT_EQ(taken(answer), (Texts{".\n", "\nUs", "ing it"}));
}

TEST(AnswerText, EndsBeforeAStopTextThatSpansTokens) {
  AnswerText answer({"STOP"});
  EXPECT_FALSE(answer.push("go S"));
  EXPECT_FALSE(answer.push("TO"));
  EXPECT_TRUE(answer.push("P and on"));
  const auto tokens = answer.take();
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[0].text, "go ");
  EXPECT_EQ(tokens[1].text, "");
  EXPECT_EQ(tokens[2].text, "");
  EXPECT_EQ(tokens[2].index, 2U);
  EXPECT_EQ(answer.text(), "go ");
}

TEST(AnswerText, UsesTheStopTextThatStartsFirst) {
  AnswerText answer({"b", "ab"});
  EXPECT_TRUE(answer.push("xab"));
  EXPECT_EQ(answer.text(), "x");
}

TEST(AnswerText, FindsAStopTextAfterAFalseStart) {
  AnswerText answer({"aab"});
  EXPECT_FALSE(answer.push("a"));
  EXPECT_FALSE(answer.push("a"));
  EXPECT_FALSE(answer.push("a"));
  EXPECT_EQ(taken(answer), Texts{"a"});
  EXPECT_TRUE(answer.push("b"));
  EXPECT_EQ(answer.text(), "a");
}

// A character of three bytes in three tokens. The decoder adds it with the third.
TEST(AnswerText, TokensWaitForACompleteCharacter) {
  AnswerText answer({});
  EXPECT_FALSE(answer.push(""));
  EXPECT_FALSE(answer.push(""));
  EXPECT_EQ(taken(answer), Texts{});
  EXPECT_FALSE(answer.push("€"));
  EXPECT_EQ(taken(answer), (Texts{"", "", "€"}));
}

TEST(AnswerText, TextAddedAtTheEndBelongsToTheLastToken) {
  AnswerText answer({"xyz"});
  EXPECT_FALSE(answer.push("x"));
  EXPECT_FALSE(answer.push(""));
  answer.finish("\xEF\xBF\xBD");
  EXPECT_EQ(taken(answer), (Texts{"x", "\xEF\xBF\xBD"}));
  EXPECT_EQ(answer.text(), "x\xEF\xBF\xBD");
}

}  // namespace
}  // namespace ambry::generate
