#include "text/unicode/graphemes.h"

#include <gtest/gtest.h>

#include <string>

#include "text/sentencepiece/make_charsmap.h"

namespace ambry::text {
namespace {

std::string replaced(std::string_view text) {
  const std::string rules = CharsmapMaker(CharsmapMaker::Rules{{"a", "X"},
                                                               {"ab", "Y"},
                                                               {"\uFB01", "fi"},
                                                               {"\r", " "},
                                                               {"\uFF76\uFF9E", "\u30AC"},
                                                               {"\uFF76", "\u30AB"}})
                                .bytes();
  const Charsmap map = std::move(Charsmap::create(as_bytes(rules), "m")).value();
  std::string out;
  size_t done = 0;
  replace_by_graphemes(map, text, [&](size_t begin, size_t end, std::string_view replacement) {
    EXPECT_EQ(begin, done);
    done = end;
    out += replacement;
  });
  EXPECT_EQ(done, text.size());
  return out;
}

std::vector<size_t> ends(std::string_view text) {
  std::vector<size_t> found;
  for (size_t at = 0; at < text.size();) found.push_back(at = grapheme_end(text, at));
  return found;
}

using Ends = std::vector<size_t>;

TEST(Graphemes, MarksJoinThePreviousCharacter) {
  EXPECT_EQ(ends("ab"), (Ends{1, 2}));
  EXPECT_EQ(ends("a\u0301\u0302b"), (Ends{5, 6}));
  EXPECT_EQ(ends("\u0301a"), (Ends{2, 3}));
  EXPECT_EQ(ends("\u0928\u093F"), (Ends{6}));
  EXPECT_EQ(ends("a\u200D"), (Ends{4}));
}

TEST(Graphemes, NothingJoinsControls) {
  EXPECT_EQ(ends("\n\u0301"), (Ends{1, 3}));
  EXPECT_EQ(ends("\u200B\u0301"), (Ends{3, 5}));
  EXPECT_EQ(ends("\U000E0000\u0301"), (Ends{4, 6}));
  EXPECT_EQ(ends("\r\n\r\r\n"), (Ends{2, 3, 5}));
  EXPECT_EQ(ends("\n\r"), (Ends{1, 2}));
}

TEST(Graphemes, PrependedCharactersJoinTheNext) {
  EXPECT_EQ(ends("\u0600a\u0301"), (Ends{5}));
  EXPECT_EQ(ends("\u0600\u0601a"), (Ends{5}));
  EXPECT_EQ(ends("\u0600\n"), (Ends{2, 3}));
  EXPECT_EQ(ends("\u0600"), (Ends{2}));
}

// As in the library: tests/reference/unicode/grapheme-tables.mjs measured the classes, and 120,000
// generated strings gave the same results with a real model's charsmap.
TEST(Graphemes, ReplacesSmallClustersAsAWhole) {
  EXPECT_EQ(replaced("aa"), "XX");
  EXPECT_EQ(replaced("a\u0301b"), "Xb");      // the mark is lost
  EXPECT_EQ(replaced("\uFB01\u0301"), "fi");  // 5 bytes
  EXPECT_EQ(replaced("\r\n."), " .");
}

TEST(Graphemes, ReplacesOthersCharacterByCharacter) {
  EXPECT_EQ(replaced("ab"), "Xb");  // two clusters, so the longer key never matches
  EXPECT_EQ(replaced("a\u0301\u0302\u0303"), "X\u0301\u0302\u0303");
  EXPECT_EQ(replaced("\uFF76\uFF9E"), "\u30AB\uFF9E");  // 6 bytes
}

}  // namespace
}  // namespace ambry::text
