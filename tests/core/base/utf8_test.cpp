#include "base/utf8.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace ambry {
namespace {

constexpr char32_t kLastScalar = 0x10FFFF;

bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

std::vector<char32_t> decode_all(std::string_view text) {
  std::vector<char32_t> code_points;
  for (size_t position = 0; position < text.size();) {
    const DecodedCodePoint decoded = decode_utf8(text, position);
    code_points.push_back(decoded.code_point);
    position += decoded.n_bytes;
  }
  return code_points;
}

TEST(Utf8, EveryScalarValueSurvivesEncodingAndDecoding) {
  for (char32_t c = 0; c <= kLastScalar; ++c) {
    if (is_surrogate(c)) continue;
    std::string text;
    append_utf8(text, c);
    const size_t expected_bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    ASSERT_EQ(text.size(), expected_bytes);
    const DecodedCodePoint decoded = decode_utf8(text, 0);
    ASSERT_TRUE(decoded.valid);
    ASSERT_EQ(decoded.code_point, c);
    ASSERT_EQ(decoded.n_bytes, text.size());
  }
}

TEST(Utf8, EveryEncodedScalarIsRefusedWhenCutShort) {
  for (char32_t c = 0x80; c <= kLastScalar; c += 0x1F) {
    if (is_surrogate(c)) continue;
    std::string text;
    append_utf8(text, c);
    for (size_t length = 1; length < text.size(); ++length) {
      const DecodedCodePoint decoded = decode_utf8(std::string_view(text).substr(0, length), 0);
      ASSERT_FALSE(decoded.valid);
      ASSERT_EQ(decoded.n_bytes, length) << "a cut sequence is one maximal subpart";
    }
  }
}

TEST(Utf8, EncodesNonScalarsAsTheReplacementCharacter) {
  for (const char32_t c : {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}}) {
    std::string text;
    append_utf8(text, c);
    EXPECT_EQ(text, "\xEF\xBF\xBD");
  }
}

// The example in Unicode's table "U+FFFD substitution of maximal subparts": 61 F1 80 80 E1 80 C2 62
// 80 63 80 BF 64.
TEST(Utf8, ReplacesEachMaximalSubpartOnce) {
  constexpr char32_t kBad = kReplacementCharacter;
  const std::vector<char32_t> expected = {'a', kBad, kBad, kBad, 'b', kBad, 'c', kBad, kBad, 'd'};
  EXPECT_EQ(decode_all("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"), expected);
}

TEST(Utf8, RefusesOverlongFormsSurrogatesAndValuesPastTheEnd) {
  for (const std::string_view text :
       {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80",
        "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "\xFE", "\xFF", "\x80", "\xBF"}) {
    EXPECT_EQ(find_invalid_utf8(text), 0U);
    for (const char32_t c : decode_all(text)) EXPECT_EQ(c, kReplacementCharacter);
  }
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  EXPECT_EQ(find_invalid_utf8(""), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("caf\xC3\xA9 \xF0\x9F\x98\x80"), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("ab\xC3"), 2U);
  EXPECT_EQ(find_invalid_utf8("\xC3\xA9\xFFz"), 2U);
}

TEST(Utf8, CountsUtf16Units) {
  EXPECT_EQ(utf16_length('a'), 1U);
  EXPECT_EQ(utf16_length(0xFFFF), 1U);
  EXPECT_EQ(utf16_length(0x10000), 2U);
}

TEST(Utf8, ReplacesInAWholeText) {
  EXPECT_EQ(replace_invalid_utf8("meren"), "meren");
  EXPECT_EQ(replace_invalid_utf8("zee\xC3n"), "zee\xEF\xBF\xBDn");
  EXPECT_EQ(replace_invalid_utf8("\xE2\x82"), "\xEF\xBF\xBD");
  EXPECT_EQ(replace_invalid_utf8("\xFF\xFF"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace ambry
