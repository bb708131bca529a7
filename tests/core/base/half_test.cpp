#include "base/half.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace ambry {
namespace {

constexpr uint32_t kAllHalves = 0x10000;

// The value of a binary16 by the definition of the format, in double.
double f16_value(uint32_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = static_cast<int>((bits >> 10) & 0x1FU);
  const double fraction = bits & 0x3FFU;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024.0 + fraction, exponent - 25);
}

bool f16_is_nan(uint32_t bits) { return (bits & 0x7FFFU) > 0x7C00U; }
bool f16_is_infinite(uint32_t bits) { return (bits & 0x7FFFU) == 0x7C00U; }

TEST(Half, WidensEveryBinary16Exactly) {
  for (uint32_t bits = 0; bits < kAllHalves; ++bits) {
    const float widened = f16_to_f32(static_cast<uint16_t>(bits));
    if (f16_is_nan(bits)) {
      ASSERT_TRUE(std::isnan(widened)) << bits;
    } else if (f16_is_infinite(bits)) {
      ASSERT_TRUE(std::isinf(widened)) << bits;
      ASSERT_EQ(std::signbit(widened), bits >= 0x8000U) << bits;
    } else {
      ASSERT_EQ(static_cast<double>(widened), f16_value(bits)) << bits;
      ASSERT_EQ(std::signbit(widened), bits >= 0x8000U) << bits;
    }
  }
}

TEST(Half, NarrowsEveryWidenedBinary16BackToItself) {
  for (uint32_t bits = 0; bits < kAllHalves; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const uint16_t back = f32_to_f16(f16_to_f32(half));
    if (f16_is_nan(bits)) {
      ASSERT_TRUE(f16_is_nan(back)) << bits;
    } else {
      ASSERT_EQ(back, half) << bits;
    }
  }
}

// Between every two neighbors, the midpoint goes to the even one, and values next to it to the
// nearer one.
TEST(Half, NarrowsToNearestEvenBetweenAllNeighbors) {
  for (uint32_t low = 0; low + 1 < 0x7C00U; ++low) {
    const uint32_t high = low + 1;
    const auto middle = static_cast<float>((f16_value(low) + f16_value(high)) / 2);
    const uint32_t even = low % 2 == 0 ? low : high;
    ASSERT_EQ(f32_to_f16(middle), even);
    ASSERT_EQ(f32_to_f16(std::nextafterf(middle, 0.0F)), low);
    ASSERT_EQ(f32_to_f16(std::nextafterf(middle, 1e9F)), high);
    ASSERT_EQ(f32_to_f16(-middle), even | 0x8000U);
  }
}

TEST(Half, NarrowingOverflowsToInfinity) {
  EXPECT_EQ(f32_to_f16(65504.0F), 0x7BFFU);
  EXPECT_EQ(f32_to_f16(std::nextafterf(65520.0F, 0.0F)), 0x7BFFU);
  EXPECT_EQ(f32_to_f16(65520.0F), 0x7C00U);
  EXPECT_EQ(f32_to_f16(-std::numeric_limits<float>::max()), 0xFC00U);
  EXPECT_EQ(f32_to_f16(std::numeric_limits<float>::infinity()), 0x7C00U);
}

TEST(Half, NarrowingKeepsNanAndSignedZero) {
  EXPECT_TRUE(f16_is_nan(f32_to_f16(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(f16_is_nan(f32_to_f16(std::bit_cast<float>(0x7F800001U))));
  EXPECT_EQ(f32_to_f16(-0.0F), 0x8000U);
  EXPECT_EQ(f32_to_f16(std::numeric_limits<float>::denorm_min()), 0U);
}

TEST(Half, Bfloat16IsTheUpperHalfOfBinary32) {
  for (uint32_t bits = 0; bits < kAllHalves; ++bits) {
    const float widened = bf16_to_f32(static_cast<uint16_t>(bits));
    ASSERT_EQ(std::bit_cast<uint32_t>(widened), bits << 16);
    const uint16_t back = f32_to_bf16(widened);
    if (std::isnan(widened)) {
      ASSERT_TRUE(std::isnan(bf16_to_f32(back))) << bits;
    } else {
      ASSERT_EQ(back, bits);
    }
  }
}

TEST(Half, Bfloat16RoundsToNearestEven) {
  struct Row {
    uint32_t from;
    uint16_t to;
  };
  constexpr std::array<Row, 7> kRows = {{
      {0x3F808000, 0x3F80},  // midpoint, even below
      {0x3F818000, 0x3F82},  // midpoint, even above
      {0x3F808001, 0x3F81},
      {0x3F807FFF, 0x3F80},
      {0x7F7FFFFF, 0x7F80},  // the largest float rounds to infinity
      {0xFF7FFFFF, 0xFF80},
      {0x00008000, 0x0000},  // subnormal midpoint
  }};
  for (const Row& row : kRows) {
    EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(row.from)), row.to) << row.from;
  }
  EXPECT_TRUE(std::isnan(bf16_to_f32(f32_to_bf16(std::bit_cast<float>(0x7F800001U)))));
}

}  // namespace
}  // namespace ambry
