#include "text/grammar/matcher/plain_text.h"

#include <gtest/gtest.h>

#include <string>

#include "text/grammar/form/gbnf.h"
#include "text/grammar/matcher/grammar_matcher.h"

namespace ambry::text {
namespace {

bool plain_may_follow(std::string_view grammar, std::string_view text = "") {
  const auto parsed = parse_gbnf(grammar, "grammar");
  if (!parsed) {
    ADD_FAILURE() << describe(parsed.error());
    return false;
  }
  auto matcher = GrammarMatcher::create(*parsed, "grammar");
  if (!matcher) {
    ADD_FAILURE() << describe(matcher.error());
    return false;
  }
  return allows_plain_text(*matcher, matcher->next(matcher->start(), text));
}

TEST(PlainText, IsWholeCharactersWithoutControlsQuotesAndBackslashes) {
  for (const char* text : {"a", " the", "é", "日本語", "😀", "sixteen letters!"}) {
    EXPECT_TRUE(is_short_plain_text(text)) << text;
  }
  for (const char* text :
       {"", "a\"", "\\n", "\n", "\x7F", "\xC3", "a\xC3", "\xA9", "seventeen letters"}) {
    EXPECT_FALSE(is_short_plain_text(text)) << text;
  }
}

TEST(PlainText, MayFollowWhereAllOfItMay) {
  const std::string string = R"(root ::= "\"" [^"\\\x00-\x1F\x7F]* "\"")";
  EXPECT_TRUE(plain_may_follow(string, "\""));
  EXPECT_TRUE(plain_may_follow(string, "\"äb"));
  EXPECT_FALSE(plain_may_follow(string));
  EXPECT_FALSE(plain_may_follow(string, "\"\xC3"));  // within a character
  EXPECT_TRUE(plain_may_follow("root ::= .*"));
}

// One character less, or one that is missing, and it is not plain text that may follow.
TEST(PlainText, MayNotFollowWhereSomeOfItMayNot) {
  EXPECT_TRUE(plain_may_follow("root ::= .{16}"));
  EXPECT_FALSE(plain_may_follow("root ::= .{15}"));
  EXPECT_TRUE(plain_may_follow("root ::= .{3,20}", "abcd"));
  EXPECT_FALSE(plain_may_follow("root ::= .{3,20}", "abcde"));
  for (const char* missing : {"z", "~", " ", "\\u00e9", "\\u07ff", "\\u0800", "\\ud7ff", "\\ue000",
                              "\\uffff", "\\U00010000", "\\U0010FFFF"}) {
    EXPECT_FALSE(plain_may_follow(std::string("root ::= [^") + missing + "]*")) << missing;
  }
  EXPECT_TRUE(plain_may_follow("root ::= [^\\n\\\"]*"));
}

}  // namespace
}  // namespace ambry::text
