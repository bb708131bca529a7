#include "text/wordpiece/bert_normalizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/utf8.h"

namespace ambry::text {
namespace {

std::vector<NormalizedChar> normalize(std::string_view text,
                                      const NormalizerOptions& options = {}) {
  BertNormalizer normalizer(options);
  normalizer.start(text, {});
  std::vector<NormalizedChar> chars;
  for (NormalizedChar c; normalizer.next(c);) chars.push_back(c);
  return chars;
}

std::string text_of(std::string_view text, const NormalizerOptions& options = {}) {
  std::string out;
  for (const NormalizedChar& c : normalize(text, options)) append_utf8(out, c.code_point);
  return out;
}

// `begin-end` in bytes, for the origin of each code point.
std::string origins_of(std::string_view text, const NormalizerOptions& options = {}) {
  std::string out;
  for (const NormalizedChar& c : normalize(text, options)) {
    out += (out.empty() ? "" : " ") + std::to_string(c.origin.begin.byte) + "-" +
           std::to_string(c.origin.end.byte);
  }
  return out;
}

constexpr NormalizerOptions kNothing = {false, false, false, false};

TEST(BertNormalizer, ChangesNothingWhenAllStepsAreOff) {
  EXPECT_EQ(text_of("A\u00C9\u200B \u4E2D\t", kNothing), "A\u00C9\u200B \u4E2D\t");
}

TEST(BertNormalizer, CleansControlsAndSpaces) {
  NormalizerOptions options = kNothing;
  options.clean_text = true;
  EXPECT_EQ(text_of(std::string("a\0b\u200Bc\u00ADd\x85", 11), options), "abcd");
  EXPECT_EQ(text_of("a\tb\u00A0c\u3000d", options), "a b c d");
  EXPECT_EQ(text_of("\uFFFDx", options), "x");
}

TEST(BertNormalizer, ReplacesIllFormedBytes) {
  EXPECT_EQ(text_of("a\xE2\x82z\xFF"), "az");
  EXPECT_EQ(text_of("a\xE2\x82z\xFF", kNothing), "a\uFFFDz\uFFFD");
  EXPECT_EQ(origins_of("a\xE2\x82z\xFF", kNothing), "0-1 1-3 3-4 4-5");
}

TEST(BertNormalizer, PutsSpacesAroundIdeographsAndKeepsOrigins) {
  EXPECT_EQ(text_of("a\u4E2D\u3042"), "a \u4E2D \u3042");
  EXPECT_EQ(origins_of("a\u4E2D\u3042"), "0-1 1-4 1-4 1-4 4-7");
}

TEST(BertNormalizer, StripsAccentsBeforeLowering) {
  EXPECT_EQ(text_of("\u00C9\u0130\u1ED8"), "eio");
  EXPECT_EQ(text_of("\uAC01"), "\u1100\u1161\u11A8");
  EXPECT_EQ(origins_of("\uAC01x"), "0-3 0-3 0-3 3-4");
}

TEST(BertNormalizer, LowersToTwoLettersIfAccentsAreKept) {
  NormalizerOptions options;
  options.strip_accents = false;
  EXPECT_EQ(text_of("\u0130", options), "i\u0307");
  EXPECT_EQ(text_of("\u00C9 \u03A3", options), "\u00E9 \u03C3");
}

// U+08D4 (class 230) and U+302E (class 224) are marks that are not stripped.
TEST(BertNormalizer, OrdersTheRemainingMarks) {
  EXPECT_EQ(text_of("a\u08D4\u302Eb"), "a\u302E\u08D4b");
  EXPECT_EQ(text_of("a\u08D4b\u302E"), "a\u08D4b\u302E");
  EXPECT_EQ(text_of("a\u08D4\u0301\u302E"), "a\u302E\u08D4");
  EXPECT_EQ(text_of("\u08D4\u302E"), "\u302E\u08D4");
}

TEST(BertNormalizer, GivesOriginsInTextOrder) {
  EXPECT_EQ(origins_of("a\u08D4\u302Eb"), "0-1 1-4 4-7 7-8");
  // A code point from a decomposition shares the origin of the code point that it ends up after.
  EXPECT_EQ(origins_of("\u00E9\u08D4\u302E"), "0-2 2-5 5-8");
}

TEST(BertNormalizer, OrdersMarksAcrossADeletedCharacter) {
  EXPECT_EQ(text_of("a\u08D4\u200B\u302E"), "a\u302E\u08D4");
  NormalizerOptions options;
  options.clean_text = false;
  EXPECT_EQ(text_of("a\u08D4\u200B\u302E", options), "a\u08D4\u200B\u302E");
}

TEST(BertNormalizer, SortsAVeryLongRunOfMarks) {
  std::string text;
  std::string high;
  std::string low;
  for (int i = 0; i < 100000; ++i) {
    text += "\u08D4\u302E";
    high += "\u08D4";
    low += "\u302E";
  }
  EXPECT_EQ(text_of(text), low + high);
}

TEST(BertNormalizer, CountsPositionsInBothUnits) {
  BertNormalizer normalizer({});
  normalizer.start("a\u00E9\U0001F600", {10, 7});
  NormalizedChar c;
  while (normalizer.next(c)) {
  }
  EXPECT_EQ(c.origin, (TextSpan{{13, 9}, {17, 11}}));
  EXPECT_EQ(normalizer.position(), (TextPosition{17, 11}));
}

}  // namespace
}  // namespace ambry::text
