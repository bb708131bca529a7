#include "io/number/print_double.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "io/number/digits_of.h"
#include "io/number/parse_double.h"
#include "repetitions.h"

namespace ambry::io {
namespace {

std::string shortest_digits_of(double value) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific);
  return digits_of({buffer, end.ptr});
}

void expect_shortest(double value) {
  const std::string text = print_double(value);
  const double read = std::strtod(text.c_str(), nullptr);
  ASSERT_EQ(std::bit_cast<uint64_t>(read), std::bit_cast<uint64_t>(value)) << text;
  ASSERT_EQ(digits_of(text), shortest_digits_of(value)) << text;
}

TEST(PrintDouble, MarksTheValueAsAFloat) {
  EXPECT_EQ(print_double(0.0), "0.0");
  EXPECT_EQ(print_double(-0.0), "-0.0");
  EXPECT_EQ(print_double(1), "1.0");
  EXPECT_EQ(print_double(-120), "-120.0");
  EXPECT_EQ(print_double(1e20), "100000000000000000000.0");
}

TEST(PrintDouble, PlacesThePointOrWritesAnExponent) {
  EXPECT_EQ(print_double(12.5), "12.5");
  EXPECT_EQ(print_double(-0.1), "-0.1");
  EXPECT_EQ(print_double(0.000001), "0.000001");
  EXPECT_EQ(print_double(0.00000125), "0.00000125");
  EXPECT_EQ(print_double(1e-7), "1e-7");
  EXPECT_EQ(print_double(1.25e-7), "1.25e-7");
  EXPECT_EQ(print_double(1e21), "1e21");
  EXPECT_EQ(print_double(-1.5e300), "-1.5e300");
}

TEST(PrintDouble, IsShortestAtTheEndsOfTheRange) {
  using Limits = std::numeric_limits<double>;
  EXPECT_EQ(print_double(Limits::denorm_min()), "5e-324");
  EXPECT_EQ(print_double(Limits::max()), "1.7976931348623157e308");
  EXPECT_EQ(print_double(Limits::min()), "2.2250738585072014e-308");
  EXPECT_EQ(print_double(1e23), "1e23");
  EXPECT_EQ(print_double(0.1 + 0.2), "0.30000000000000004");
}

// Below a power of two, the gap is half of the gap above. At a power of ten, digits carry over.
TEST(PrintDouble, IsShortestAroundPowersOfTwoAndTen) {
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    expect_shortest(power);
    expect_shortest(std::nextafter(power, 0.0) == 0 ? power : std::nextafter(power, 0.0));
    expect_shortest(std::nextafter(power, INFINITY));
  }
  for (int exponent = -323; exponent < 308; ++exponent) {
    const double power = parse_double("1e" + std::to_string(exponent));
    expect_shortest(power);
    expect_shortest(std::nextafter(power, INFINITY));
    expect_shortest(std::nextafter(power, 0.0));
  }
}

TEST(PrintDouble, AgreesWithTheStandardLibraryOnRandomNumbers) {
  std::mt19937_64 random(20261121);
  for (size_t i = 0; i < ambry::testing::repetitions(30'000); ++i) {
    if (const auto value = std::bit_cast<double>(random()); std::isfinite(value)) {
      expect_shortest(value);
    }
    expect_shortest(static_cast<double>(static_cast<int64_t>(random()) >> 20) / 1e6);
    expect_shortest(std::bit_cast<float>(static_cast<uint32_t>(random() >> 35)) * 0.5);
  }
}

}  // namespace
}  // namespace ambry::io
