#include "io/number/print_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "io/number/digits_of.h"
#include "io/number/parse_float.h"
#include "repetitions.h"

namespace ambry::io {
namespace {

std::string print(float value) {
  std::string text;
  append_float(text, value);
  return text;
}

void expect_shortest(float value) {
  const std::string text = print(value);
  const auto read = parse_float(text);
  ASSERT_TRUE(read) << text;
  ASSERT_EQ(std::bit_cast<uint32_t>(*read), std::bit_cast<uint32_t>(value)) << text;
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific);
  const std::string wanted = digits_of({buffer, end.ptr});
  const std::string digits = digits_of(text);
  // The library takes the even one of a tie.
  ASSERT_EQ(digits.size(), wanted.size()) << text << " " << std::string(buffer, end.ptr);
  if (digits != wanted) {
    EXPECT_EQ(digits.back(), wanted.back() + 1) << text << " " << std::string(buffer, end.ptr);
    EXPECT_EQ((wanted.back() - '0') % 2, 0) << text;
  }
}

TEST(PrintFloat, WritesNoExponent) {
  EXPECT_EQ(print(0), "0");
  EXPECT_EQ(print(-0.0F), "-0");
  EXPECT_EQ(print(1), "1");
  EXPECT_EQ(print(-3), "-3");
  EXPECT_EQ(print(0.5F), "0.5");
  EXPECT_EQ(print(0.1F), "0.1");
  EXPECT_EQ(print(-0.0001F), "-0.0001");
  EXPECT_EQ(print(1.4724287F), "1.4724287");
  EXPECT_EQ(print(1e-7F), "0.0000001");
  EXPECT_EQ(print(16777216), "16777216");
  EXPECT_EQ(print(1e20F), "100000000000000000000");
  EXPECT_EQ(print(123456.79F), "123456.79");
}

TEST(PrintFloat, TakesTheLargerOfATie) { EXPECT_EQ(print(2097152.25F), "2097152.3"); }

TEST(PrintFloat, IsShortestAtTheEndsOfTheRange) {
  for (const float value :
       {std::numeric_limits<float>::min(), std::numeric_limits<float>::max(),
        std::numeric_limits<float>::denorm_min(), 2 * std::numeric_limits<float>::denorm_min(),
        3 * std::numeric_limits<float>::denorm_min()}) {
    expect_shortest(value);
    expect_shortest(std::nextafter(value, 0.0F));
  }
  EXPECT_EQ(print(std::numeric_limits<float>::max()), "340282350000000000000000000000000000000");
  EXPECT_EQ(print(std::numeric_limits<float>::denorm_min()),
            "0.000000000000000000000000000000000000000000001");
}

TEST(PrintFloat, IsShortestAtPowersOfTwo) {
  for (int exponent = -149; exponent < 128; ++exponent) {
    const float value = std::ldexp(1.0F, exponent);
    expect_shortest(value);
    expect_shortest(std::nextafter(value, std::numeric_limits<float>::infinity()));
    expect_shortest(std::nextafter(value, 0.0F));
  }
}

TEST(PrintFloat, IsShortestForRandomNumbers) {
  std::mt19937 random(1);
  for (size_t i = 0; i < ambry::testing::repetitions(100'000); ++i) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isfinite(value) && value != 0) expect_shortest(value);
    // Values of the size that vectors have.
    const float usual = std::ldexp(static_cast<float>(random()), -31) - 1;
    if (usual != 0) expect_shortest(usual);
  }
}

}  // namespace
}  // namespace ambry::io
