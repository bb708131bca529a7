#include "text/grammar/form/code_point_set.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"
#include "text/grammar/accepts.h"

namespace ambry::text {
namespace {

TEST(CodePointSet, JoinsRangesThatTouch) {
  CodePointSet set = {{5, 7}, {20, 30}, {8, 9}, {1, 2}, {25, 40}};
  ASSERT_EQ(set.ranges().size(), 3U);
  EXPECT_EQ(set.ranges()[1], (CodePointSet::Range{5, 9}));
  EXPECT_EQ(set.ranges()[2], (CodePointSet::Range{20, 40}));
  set.add(3, 19);
  EXPECT_EQ(set.ranges().size(), 1U);
}

TEST(CodePointSet, HasAComplement) {
  EXPECT_TRUE(CodePointSet::all().complement().is_empty());
  const CodePointSet set = {{0, 9}, {100, 100}, {200, CodePointSet::kLast}};
  const CodePointSet rest = set.complement();
  for (uint32_t c = 0; c < 300; ++c) EXPECT_NE(set.has(c), rest.has(c)) << c;
  EXPECT_TRUE(set.without(set).is_empty());
  EXPECT_FALSE(set.within({{5, 5}}).is_empty());
}

// Every code point, against the encoder.
TEST(CodePointSet, HasTheUtf8OfItsCodePoints) {
  const CodePointSet set = {{'A', 'Z'},       {0x7E, 0x81},      {0x7C0, 0x801},
                            {0xD700, 0xE010}, {0xFFF0, 0x10005}, {0x1F600, 0x1F64F}};
  Grammar grammar;
  const Grammar::Rule root = grammar.add_rule("root");
  grammar.define(root, utf8_of(grammar, set));
  GrammarMatcher matcher = std::move(GrammarMatcher::create(grammar, "set")).value();
  for (uint32_t c = 0; c <= CodePointSet::kLast; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    ASSERT_EQ(testing::accepts(matcher, text), set.has(c)) << c;
  }
  EXPECT_FALSE(testing::accepts(matcher, "\xED\xA0\x80"));  // a surrogate
}

}  // namespace
}  // namespace ambry::text
