#include "io/number/parse_double.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace ambry::io {
namespace {

// The C library of the test machine rounds correctly.
void expect_same(const std::string& text) {
  const double expected = std::strtod(text.c_str(), nullptr);
  const double found = parse_double(text);
  EXPECT_EQ(std::bit_cast<uint64_t>(found), std::bit_cast<uint64_t>(expected)) << text;
}

std::string print(const char* format, double value) {
  char buffer[64];
  const int length = std::snprintf(buffer, sizeof(buffer), format, value);
  return {buffer, static_cast<size_t>(length)};
}

TEST(ParseDouble, ReadsZerosAndPlainNumbers) {
  for (const char* text : {"0", "-0", "0.0", "-0.0e5", "0e999999999999999999999", "1", "-1", "10",
                           "0.1", "-12.5", "1e-12", "1E+05", "3.14159", "1e22", "1e23",
                           "9007199254740993", "18446744073709551616", "1e0000000000000000001"}) {
    expect_same(text);
  }
}

TEST(ParseDouble, ReadsTheEndsOfTheRange) {
  for (const char* text :
       {"1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e308",
        "1e309", "-1e400", "1e401", "1e99999999999999999999", "2.2250738585072014e-308",
        "2.2250738585072011e-308", "4.9406564584124654e-324", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "1e-324", "1e-400", "1e-401", "1e-99999999999999999999"}) {
    expect_same(text);
  }
}

TEST(ParseDouble, RoundsTiesToEvenWithAnyNumberOfDigits) {
  expect_same("9007199254740993.0");
  expect_same("9007199254740993." + std::string(900, '0') + "1");
  expect_same("9007199254740992." + std::string(900, '9'));
  expect_same("0." + std::string(400, '0') + std::string(900, '7') + "e400");
  expect_same(std::string(1000, '3') + "e-1000");
  expect_same("1" + std::string(2000, '0') + "e-2000");
  // The midpoint between two neighbours, exactly and slightly beside it.
  for (const double value : {1.0, 0.1, 1e-300, 5e-324, 1e-310, 1.7e308}) {
    char buffer[1200];
    const double next = std::nextafter(value, INFINITY);
    const long double middle = (static_cast<long double>(value) + next) / 2;
    const int length = std::snprintf(buffer, sizeof(buffer), "%.1100Le", middle);
    const std::string text(buffer, static_cast<size_t>(length));
    expect_same(text);
    const size_t e = text.find('e');
    expect_same(text.substr(0, e) + "1" + text.substr(e));
  }
}

TEST(ParseDouble, AgreesWithTheCLibraryOnRandomDoubles) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    expect_same(print("%.17g", value));
    expect_same(print("%.16e", value));
    expect_same(print("%.6g", value));
  }
}

}  // namespace
}  // namespace ambry::io
