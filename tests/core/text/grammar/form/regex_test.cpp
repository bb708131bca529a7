#include "text/grammar/form/regex.h"

#include <gtest/gtest.h>

#include <string>

#include "text/grammar/accepts.h"

namespace ambry::text {
namespace {

bool regex_accepts(std::string_view pattern, std::string_view text,
                   RegexMatch match = RegexMatch::Whole) {
  Grammar grammar;
  const Grammar::Rule root = grammar.add_rule("root");
  const auto parsed = parse_regex(grammar, pattern, "regex", match, utf8_of);
  if (!parsed) {
    ADD_FAILURE() << describe(parsed.error());
    return false;
  }
  grammar.define(root, *parsed);
  return testing::accepts(grammar, text);
}

struct RegexFault {
  std::string_view pattern;
  ErrorCode code;
  uint64_t offset;
  std::string_view in_message;
};

TEST(Regex, MatchesTheWholeText) {
  EXPECT_TRUE(regex_accepts("ab|cd", "cd"));
  EXPECT_FALSE(regex_accepts("ab|cd", "abd"));
  EXPECT_FALSE(regex_accepts("ab|cd", "xab"));
  EXPECT_TRUE(regex_accepts("^ab$|^c", "c"));
  EXPECT_TRUE(regex_accepts("", ""));
}

TEST(Regex, MatchesSomewhere) {
  const auto somewhere = RegexMatch::Somewhere;
  EXPECT_TRUE(regex_accepts("ab", "xxabyy", somewhere));
  EXPECT_TRUE(regex_accepts("^ab", "abyy", somewhere));
  EXPECT_FALSE(regex_accepts("^ab", "xab", somewhere));
  EXPECT_TRUE(regex_accepts("ab$", "xab", somewhere));
  EXPECT_FALSE(regex_accepts("ab$", "abx", somewhere));
  EXPECT_TRUE(regex_accepts("^a|b$", "xxb", somewhere));
  EXPECT_FALSE(regex_accepts("^a|b$", "xbx", somewhere));
}

TEST(Regex, ReadsClassesAndEscapes) {
  EXPECT_TRUE(regex_accepts(R"(\d\D\w\W\s\S)", "1a_- x"));
  EXPECT_FALSE(regex_accepts(R"(\d)", "٣"));
  EXPECT_TRUE(regex_accepts(R"(\s)", "\xC2\xA0"));
  EXPECT_TRUE(regex_accepts(R"([\d.\-\]a-f]+)", "1.-]f"));
  EXPECT_FALSE(regex_accepts(R"([^\d])", "7"));
  EXPECT_TRUE(regex_accepts(R"([^])", "7"));
  EXPECT_TRUE(regex_accepts(R"(\x41\u00e9\u{1F600}\uD83D\uDE00\t\.\/)", "Aé😀😀\t./"));
  EXPECT_TRUE(regex_accepts(".", "é"));
  EXPECT_FALSE(regex_accepts(".", "\n"));
  EXPECT_TRUE(regex_accepts("[a-]", "-"));
}

TEST(Regex, ReadsGroupsAndRepetitions) {
  EXPECT_TRUE(regex_accepts("(?:ab)+(?<name>c){2}d??", "ababcc"));
  EXPECT_FALSE(regex_accepts("(ab)+", ""));
  EXPECT_TRUE(regex_accepts("a{2,}?", "aaaa"));
  EXPECT_FALSE(regex_accepts("a{2,3}", "aaaa"));
  EXPECT_TRUE(regex_accepts("(a|)b", "b"));
}

TEST(Regex, NamesWhatIsWrongAndWhere) {
  const RegexFault faults[] = {
      {"a(?=b)", ErrorCode::Unsupported, 1, "lookaround"},
      {"a(?<!b)", ErrorCode::Unsupported, 1, "lookaround"},
      {"(a)\\1", ErrorCode::Unsupported, 3, "backreference"},
      {"\\k<a>", ErrorCode::Unsupported, 0, "backreference"},
      {"\\bword", ErrorCode::Unsupported, 0, "word boundaries"},
      {"\\p{L}", ErrorCode::Unsupported, 0, "properties"},
      {"(?i:a)", ErrorCode::Unsupported, 0, "flags"},
      {"a^b", ErrorCode::Unsupported, 1, "ends"},
      {"(^a)", ErrorCode::Unsupported, 1, "ends"},
      {"a$b", ErrorCode::Unsupported, 1, "ends"},
      {"(a", ErrorCode::BadValue, 0, "not closed"},
      {"a)", ErrorCode::BadValue, 1, "closes nothing"},
      {"[a", ErrorCode::BadValue, 0, "not closed"},
      {"[b-a]", ErrorCode::BadValue, 1, "range"},
      {"[\\d-a]", ErrorCode::BadValue, 1, "range"},
      {"*a", ErrorCode::BadValue, 0, "nothing to repeat"},
      {"a{2,1}", ErrorCode::BadValue, 1, "larger"},
      {"a{x}", ErrorCode::BadValue, 2, "number"},
      {"\\q", ErrorCode::BadValue, 0, "escape"},
      {"\\", ErrorCode::BadValue, 0, "character"},
      {"\\uD83D", ErrorCode::BadValue, 0, "surrogate"},
      {"a{100001}", ErrorCode::LimitExceeded, 2, "100000"},
  };
  for (const RegexFault& fault : faults) {
    SCOPED_TRACE(fault.pattern);
    Grammar grammar;
    const auto parsed = parse_regex(grammar, fault.pattern, "p", RegexMatch::Whole, utf8_of);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().code, fault.code);
    EXPECT_EQ(parsed.error().byte_offset, fault.offset);
    EXPECT_NE(parsed.error().message.find(fault.in_message), std::string::npos)
        << parsed.error().message;
  }
}

}  // namespace
}  // namespace ambry::text
