#include "text/unicode/unicode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace ambry::text {
namespace {

constexpr char32_t kLimit = 0x110000;

template <class Predicate>
size_t count(Predicate holds) {
  size_t n = 0;
  for (char32_t c = 0; c < kLimit; ++c) {
    if (c < 0xD800 || c > 0xDFFF) n += holds(c) ? 1U : 0U;
  }
  return n;
}

size_t count_flag(uint8_t flag) {
  const Unicode& unicode = Unicode::instance();
  return count([&](char32_t c) { return (unicode.flags(c) & flag) != 0; });
}

std::u32string decompose(char32_t c) {
  Unicode::Buffer buffer;
  const auto parts = Unicode::instance().decompose(c, buffer);
  return {parts.begin(), parts.end()};
}

std::u32string lower(char32_t c) {
  Unicode::Buffer buffer;
  const auto letters = Unicode::instance().to_lowercase(c, buffer);
  return {letters.begin(), letters.end()};
}

bool decomposes(char32_t c) {
  Unicode::Buffer buffer;
  return !Unicode::instance().decompose(c, buffer).empty();
}

bool lowers(char32_t c) {
  Unicode::Buffer buffer;
  const auto letters = Unicode::instance().to_lowercase(c, buffer);
  return letters.size() != 1 || letters[0] != c;
}

// These sizes were measured without the generator of the tables.
TEST(Unicode, ClassesHaveTheMeasuredSizes) {
  EXPECT_EQ(count_flag(char_flags::kDrop), 137681U);
  EXPECT_EQ(count_flag(char_flags::kSpace), 21U);
  EXPECT_EQ(count_flag(char_flags::kCjk), 81264U);
  EXPECT_EQ(count_flag(char_flags::kWhiteSpace), 25U);
  EXPECT_EQ(count_flag(char_flags::kPunctuation), 726U);
  EXPECT_EQ(count_flag(char_flags::kWord), 144667U);
}

TEST(Unicode, NonspacingMarksIncludeThoseThatDecomposeToThem) {
  const Unicode& unicode = Unicode::instance();
  const auto is_mark = [&](char32_t c) {
    return (unicode.flags(c) & char_flags::kNonspacingMark) != 0;
  };
  EXPECT_EQ(count(is_mark), 1549U);
  const auto vanishes = [&](char32_t c) {
    if (!decomposes(c)) return is_mark(c);
    const std::u32string parts = decompose(c);
    return std::all_of(parts.begin(), parts.end(), is_mark);
  };
  EXPECT_EQ(count(vanishes), 1567U);
}

TEST(Unicode, MapsHaveTheMeasuredSizes) {
  EXPECT_EQ(count(decomposes), 13232U);
  EXPECT_EQ(count(lowers), 1488U);
}

TEST(Unicode, MappedIsSetForEveryMappedCodePoint) {
  const Unicode& unicode = Unicode::instance();
  for (char32_t c = 0; c < kLimit; ++c) {
    const bool mapped = (unicode.flags(c) & Unicode::kMapped) != 0;
    if (mapped != (decomposes(c) || lowers(c))) ADD_FAILURE() << std::hex << uint32_t{c};
  }
}

TEST(Unicode, MatchesHuggingFacesOlderTables) {
  const Unicode& unicode = Unicode::instance();
  EXPECT_FALSE(unicode.flags(0x2E43) &
               char_flags::kPunctuation);  // newer than the library's tables
  EXPECT_TRUE(unicode.flags(0x166D) &
              char_flags::kPunctuation);  // no longer punctuation in Unicode
  EXPECT_TRUE(unicode.flags(0x1734) & char_flags::kNonspacingMark);
  EXPECT_FALSE(unicode.flags(0x0898) & char_flags::kNonspacingMark);
  EXPECT_TRUE(decompose(0x11938).empty());
  EXPECT_FALSE(unicode.flags(0x2B91F) & char_flags::kCjk);
  EXPECT_TRUE(unicode.flags(0x2B920) & char_flags::kCjk);
}

TEST(Unicode, Decomposes) {
  EXPECT_EQ(decompose(U'a'), U"");
  EXPECT_EQ(decompose(0x00C9), U"E\u0301");
  EXPECT_EQ(decompose(0x01D6), U"u\u0308\u0304");
  EXPECT_EQ(decompose(0x1F82), U"\u03B1\u0313\u0300\u0345");
  EXPECT_EQ(decompose(0x2F81A), U"\u51AC");
  EXPECT_EQ(decompose(0xAC00), U"\u1100\u1161");
  EXPECT_EQ(decompose(0xD7A3), U"\u1112\u1175\u11C2");
}

TEST(Unicode, LowersCase) {
  EXPECT_EQ(lower(U'A'), U"a");
  EXPECT_EQ(lower(0x130), U"i\u0307");
  EXPECT_EQ(lower(0x3A3), U"\u03C3");
  EXPECT_EQ(lower(0x1E9E), U"\u00DF");
  EXPECT_EQ(lower(0x10400), U"\U00010428");
  EXPECT_EQ(lower(0x131), U"\u0131");
}

// Marks of 54 classes, ordered by the numbers of their classes in Unicode.
TEST(Unicode, RanksFollowTheCombiningClasses) {
  const Unicode& unicode = Unicode::instance();
  const std::vector<char32_t> ascending = {U'a',  0x334, 0x93C,  0x3099, 0x94D, 0x5B0,
                                           0x5B1, 0x64B, 0x670,  0xE38,  0xF71, 0x321,
                                           0x31B, 0x323, 0x302E, 0x300,  0x315, 0x345};
  for (size_t i = 1; i < ascending.size(); ++i) {
    EXPECT_LT(unicode.combining_rank(ascending[i - 1]), unicode.combining_rank(ascending[i])) << i;
  }
  EXPECT_EQ(unicode.combining_rank(0x300), unicode.combining_rank(0x301));
  EXPECT_EQ(count([&](char32_t c) { return unicode.combining_rank(c) != 0; }), 810U);
  EXPECT_EQ(unicode.combining_rank(0x345), 54);
}

}  // namespace
}  // namespace ambry::text
