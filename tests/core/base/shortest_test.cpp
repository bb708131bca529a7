#include "base/shortest.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace ambry {
namespace {

TEST(Shortest, IsTheShortestDecimal) {
  EXPECT_EQ(shortest_double(1e-5F), 1e-5);
  EXPECT_EQ(shortest_double(0.1F), 0.1);
  EXPECT_EQ(shortest_double(1e-12F), 1e-12);
  EXPECT_EQ(shortest_double(-0.02F), -0.02);
  EXPECT_EQ(shortest_double(10'000.0F), 10'000);
  EXPECT_EQ(shortest_double(1e6F), 1e6);
  EXPECT_EQ(shortest_double(0.7F), 0.7);
  EXPECT_EQ(shortest_double(0), 0);
}

TEST(Shortest, ConvertsBackToTheSameBits) {
  uint32_t state = 1;
  for (int i = 0; i < 200'000; ++i) {
    state = state * 1'664'525 + 1'013'904'223;
    const auto value = std::bit_cast<float>(state);
    if (std::isnan(value)) continue;
    EXPECT_EQ(std::bit_cast<uint32_t>(static_cast<float>(shortest_double(value))), state);
  }
  EXPECT_TRUE(std::isnan(shortest_double(std::nanf(""))));
}

}  // namespace
}  // namespace ambry
