#include "text/unicode/normal_form.h"

#include <gtest/gtest.h>

namespace ambry::text {
namespace {

std::string in_form(NormalForm form, std::string_view text) { return normalize(text, form).text(); }
std::string composed(std::string_view text) { return in_form(NormalForm::Nfc, text); }

TEST(NormalForm, ComposesLettersAndMarks) {
  EXPECT_EQ(composed("e\u0301"), "\u00e9");
  EXPECT_EQ(composed("o\u0323\u0302"), "\u1ed9");
  EXPECT_EQ(composed("o\u0302\u0323"), "\u1ed9");
  EXPECT_EQ(composed("a\u0315\u0300"), "\u00e0\u0315");
  EXPECT_EQ(composed("a\u0328\u0301x"), "\u0105\u0301x");
  EXPECT_EQ(composed("\u0301e"), "\u0301e");
  EXPECT_EQ(composed("x"), "x");
  EXPECT_EQ(composed(""), "");
}

TEST(NormalForm, DoesNotComposeExclusions) {
  EXPECT_EQ(composed("\u0958"), "\u0915\u093c");  // excluded from composition
  EXPECT_EQ(composed("\u212b"), "\u00c5");        // stands for another character
  EXPECT_EQ(composed("a\u034f\u0301"), "a\u034f\u0301");
  EXPECT_EQ(composed("a\u0301\u0301"), "\u00e1\u0301");
}

TEST(NormalForm, ComposesHangul) {
  EXPECT_EQ(composed("\u1112\u1161\u11ab"), "\ud55c");
  EXPECT_EQ(composed("\uac00\u11a8"), "\uac01");
  EXPECT_EQ(composed("\uac01\u11a8"), "\uac01\u11a8");
  EXPECT_EQ(composed("\uac00\u11a7"), "\uac00\u11a7");
}

TEST(NormalForm, KeepsTheOriginsOfCharacters) {
  const AlignedText text = normalize("xe\u0301\u0323y", NormalForm::Nfc);
  EXPECT_EQ(text.text(), "x\u1eb9\u0301y");
  const ByteRange letter = text.origin(1, 4);
  EXPECT_EQ(letter.begin, 1U);
  EXPECT_EQ(letter.end, 6U);
  EXPECT_EQ(text.origin(6, 7).begin, 6U);
}

// As the normalizers of npm tokenizers 0.23.2.
TEST(NormalForm, DecomposesAndOrdersMarks) {
  EXPECT_EQ(in_form(NormalForm::Nfd, "\u1ed9"), "o\u0323\u0302");
  EXPECT_EQ(in_form(NormalForm::Nfd, "o\u0302\u0323"), "o\u0323\u0302");
  EXPECT_EQ(in_form(NormalForm::Nfd, "\ud55c"), "\u1112\u1161\u11ab");
  EXPECT_EQ(in_form(NormalForm::Nfd, "\ufb01"), "\ufb01");
}

TEST(NormalForm, ReplacesCompatibilityCharacters) {
  EXPECT_EQ(in_form(NormalForm::Nfkc, "\ufb01\uff21\u00b2\u00a0"), "fiA2 ");
  EXPECT_EQ(in_form(NormalForm::Nfkc, "\u3131\u314f"), "\uac00");  // letters that then compose
  EXPECT_EQ(in_form(NormalForm::Nfkc, "\u1e9b\u0323"), "\u1e69");
  EXPECT_EQ(in_form(NormalForm::Nfkd, "\u1e9b\u0323"), "s\u0323\u0307");
  EXPECT_EQ(in_form(NormalForm::Nfkd, "\u00c5\u2460"),
            "A\u030a"
            "1");
  EXPECT_EQ(in_form(NormalForm::Nfkd, "\ufdfa").size(), 33U);  // the longest: 18 characters
}

TEST(NormalForm, KnowsTextsThatCannotChange) {
  EXPECT_TRUE(is_normal("\u00e9\u02ff", NormalForm::Nfc));
  EXPECT_FALSE(is_normal("\u0300", NormalForm::Nfc));
  EXPECT_TRUE(is_normal("\u00bf", NormalForm::Nfd));
  EXPECT_FALSE(is_normal("\u00c0", NormalForm::Nfd));
  EXPECT_TRUE(is_normal("~", NormalForm::Nfkc));
  EXPECT_FALSE(is_normal("\u00a0", NormalForm::Nfkc));
}

}  // namespace
}  // namespace ambry::text
