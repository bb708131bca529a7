#include "text/unicode/nfc.h"

#include <gtest/gtest.h>

namespace ambry::text {
namespace {

std::string composed(std::string_view text) { return Nfc::instance().compose(text).text(); }

TEST(Nfc, ComposesLettersAndMarks) {
  EXPECT_EQ(composed("e\u0301"), "\u00e9");
  EXPECT_EQ(composed("o\u0323\u0302"), "\u1ed9");
  EXPECT_EQ(composed("o\u0302\u0323"), "\u1ed9");
  EXPECT_EQ(composed("a\u0315\u0300"), "\u00e0\u0315");
  EXPECT_EQ(composed("a\u0328\u0301x"), "\u0105\u0301x");
  EXPECT_EQ(composed("\u0301e"), "\u0301e");
  EXPECT_EQ(composed("x"), "x");
  EXPECT_EQ(composed(""), "");
}

TEST(Nfc, DoesNotComposeExclusions) {
  EXPECT_EQ(composed("\u0958"), "\u0915\u093c");  // excluded from composition
  EXPECT_EQ(composed("\u212b"), "\u00c5");        // stands for another character
  EXPECT_EQ(composed("a\u034f\u0301"), "a\u034f\u0301");
  EXPECT_EQ(composed("a\u0301\u0301"), "\u00e1\u0301");
}

TEST(Nfc, ComposesHangul) {
  EXPECT_EQ(composed("\u1112\u1161\u11ab"), "\ud55c");
  EXPECT_EQ(composed("\uac00\u11a8"), "\uac01");
  EXPECT_EQ(composed("\uac01\u11a8"), "\uac01\u11a8");
  EXPECT_EQ(composed("\uac00\u11a7"), "\uac00\u11a7");
}

TEST(Nfc, KeepsTheOriginsOfCharacters) {
  const AlignedText text = Nfc::instance().compose("xe\u0301\u0323y");
  EXPECT_EQ(text.text(), "x\u1eb9\u0301y");
  const ByteRange letter = text.origin(1, 4);
  EXPECT_EQ(letter.begin, 1U);
  EXPECT_EQ(letter.end, 6U);
  EXPECT_EQ(text.origin(6, 7).begin, 6U);
  EXPECT_TRUE(Nfc::is_composed("\u00e9\u02ff"));
  EXPECT_FALSE(Nfc::is_composed("\u0300"));
}

}  // namespace
}  // namespace ambry::text
