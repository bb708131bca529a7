#include "base/random.h"

#include <gtest/gtest.h>

#include <array>

namespace ambry {
namespace {

// Expected values from tests/reference/models/xoshiro.py.
TEST(RandomTest, EqualsTheDefinition) {
  Random zero(0);
  EXPECT_EQ(zero.next(), 0x99ec5f36cb75f2b4U);
  EXPECT_EQ(zero.next(), 0xbf6e1f784956452aU);
  EXPECT_EQ(zero.next(), 0x1a5f849d4933e6e0U);
  Random random(42);
  EXPECT_EQ(random.next(), 0x15780b2e0c2ec716U);
  EXPECT_EQ(random.next(), 0x6104d9866d113a7eU);
  EXPECT_EQ(random.next(), 0xae17533239e499a1U);
}

TEST(RandomTest, DrawsEveryNumberBelowTheBoundAboutEquallyOften) {
  Random random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);  // four standard deviations
  EXPECT_EQ(random.below(1), 0U);
}

TEST(RandomTest, RejectsDrawsThatWouldBeBiased) {
  // Three quarters of 2^64: a quarter of all draws is rejected.
  constexpr uint64_t kBound = uint64_t{3} << 62;
  Random random(2);
  Random raw(2);
  for (int i = 0; i < 100; ++i) {
    uint64_t expected = raw.next();
    while (expected < (uint64_t{1} << 62)) expected = raw.next();
    EXPECT_EQ(random.below(kBound), expected % kBound);
  }
}

}  // namespace
}  // namespace ambry
