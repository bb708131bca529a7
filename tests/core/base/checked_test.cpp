#include "base/checked.h"

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

namespace ambry {
namespace {

constexpr uint64_t kMax = UINT64_MAX;

TEST(Checked, AddsUpToTheLastValue) {
  EXPECT_EQ(checked_add(2, 3), 5U);
  EXPECT_EQ(checked_add(kMax, 0), kMax);
  EXPECT_EQ(checked_add(kMax, 1), std::nullopt);
  EXPECT_EQ(checked_add(kMax, kMax), std::nullopt);
}

TEST(Checked, MultipliesUpToTheLastValue) {
  EXPECT_EQ(checked_mul(6, 7), 42U);
  EXPECT_EQ(checked_mul(kMax, 1), kMax);
  EXPECT_EQ(checked_mul(kMax, 0), 0U);
  EXPECT_EQ(checked_mul(1ULL << 32, 1ULL << 32), std::nullopt);
}

TEST(Checked, ProductOfNothingIsOne) { EXPECT_EQ(checked_product({}), 1U); }

TEST(Checked, ProductStopsAtAWrap) {
  const std::array<uint64_t, 3> fits = {1ULL << 20, 1ULL << 20, 1ULL << 23};
  EXPECT_EQ(checked_product(fits), 1ULL << 63);
  const std::array<uint64_t, 3> wraps = {1ULL << 40, 1ULL << 40, 0};
  EXPECT_EQ(checked_product(wraps), std::nullopt);
}

TEST(Checked, AlignsUp) {
  EXPECT_EQ(checked_align_up(0, 64), 0U);
  EXPECT_EQ(checked_align_up(1, 64), 64U);
  EXPECT_EQ(checked_align_up(64, 64), 64U);
  EXPECT_EQ(checked_align_up(kMax - 62, 64), std::nullopt);
  EXPECT_EQ(checked_align_up(kMax - 63, 64), kMax - 63);
}

}  // namespace
}  // namespace ambry
