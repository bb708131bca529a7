#include "io/number/parse_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace ambry::io {
namespace {

uint32_t bits_of(float value) { return std::bit_cast<uint32_t>(value); }

void expect_nearest(const std::string& text) {
  const auto value = parse_float(text);
  ASSERT_TRUE(value) << text;
  EXPECT_EQ(bits_of(*value), bits_of(std::strtof(text.c_str(), nullptr))) << text;
}

TEST(ParseFloat, AcceptsTheFormsThatProgramsPrint) {
  for (const char* text : {"0", "-0", "1", "-1", "+1", ".5", "5.", "-.25", "0.1", "3.0", "1e5",
                           "1E5", "1e+5", "1e-5", "-1.5e-7", "123456789", "0.000000001", "00012"}) {
    expect_nearest(text);
  }
}

TEST(ParseFloat, RejectsTextThatIsNotANumber) {
  for (const char* text :
       {"",    "-",   "+",    ".",    "-.", "e5", "1e",  "1e+", "1.2.3", "1,5", "nan",
        "NaN", "inf", "-inf", "0x10", "1 ", " 1", "--1", "+-1", "1e5x",  "word"}) {
    EXPECT_FALSE(parse_float(text)) << text;
  }
}

TEST(ParseFloat, GivesInfinityForLargeAndZeroForSmallValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const char* text :
       {"1e39", "3.4028236e38", "1e99999999999", "340282356779733661637539395458142568448"}) {
    EXPECT_EQ(parse_float(text), infinity) << text;
  }
  EXPECT_EQ(parse_float("-1e39"), -infinity);
  for (const char* text : {"1e-46", "0e99999999999", "1e-99999999999"}) {
    EXPECT_EQ(parse_float(text), 0.0F) << text;
  }
  expect_nearest("3.4028235e38");
  expect_nearest("340282356779733661637539395458142568447");
}

TEST(ParseFloat, RoundsOnceAndNotThroughADouble) {
  // Just above and below the midpoint between 1 and the next float, closer to it than any double.
  expect_nearest("1.00000005960464477539062500000001");
  expect_nearest("1.00000005960464477539062499999999");
  expect_nearest("1.000000059604644775390625");
  expect_nearest("1.000000178813934326171875");
  expect_nearest("7.006492321624085e-46");  // half of the smallest float, rounded up in the text
  expect_nearest("7.006492321624086e-46");
  expect_nearest("1.1754943508222875e-38");
  expect_nearest("16777217");
  expect_nearest("16777219");
}

TEST(ParseFloat, AgreesWithTheStandardLibraryOnRandomNumbers) {
  std::mt19937 random(1);
  char text[64];
  for (int i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (!std::isfinite(value)) continue;
    for (const int digits : {3, 6, 9, 20}) {
      std::snprintf(text, sizeof(text), "%.*g", digits, static_cast<double>(value));
      expect_nearest(text);
    }
  }
}

TEST(NearestFloat, CombinesDigitsAndAnExponent) {
  EXPECT_EQ(nearest_float(15, -1), 1.5F);
  EXPECT_EQ(nearest_float(1, -45), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(nearest_float(34028235, 31), std::numeric_limits<float>::max());
  EXPECT_EQ(nearest_float(0, 40), 0.0F);
}

}  // namespace
}  // namespace ambry::io
