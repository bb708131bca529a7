#include "infer/decoder/sampling/natural_log.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ambry::infer {
namespace {

TEST(NaturalLog, IsThatOfTheCLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    EXPECT_NEAR(natural_log(x), std::log(x), std::abs(std::log(x)) * 4e-16) << x;
  }
  for (int i = -40; i <= 40; ++i) {
    const double x = 1 + i * 0.0125;
    EXPECT_NEAR(natural_log(x), std::log(x), 2e-16) << x;
  }
  EXPECT_EQ(natural_log(1), 0);
  EXPECT_EQ(natural_log(INFINITY), INFINITY);
}

}  // namespace
}  // namespace ambry::infer
