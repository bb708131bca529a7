#include "kernels/attention/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class SoftmaxTest : public ::testing::Test {};
TYPED_TEST_SUITE(SoftmaxTest, TypedIsas, IsaNames);

TYPED_TEST(SoftmaxTest, EqualsTheDefinition) {
  TestRandom random(1);
  for (size_t n = 0; n <= 3 * TypeParam::kLanes + 1; ++n) {
    std::vector<float> row = random.floats(n, 20.0F);
    const std::vector<float> in = row;
    softmax<TypeParam>(row);
    double sum = 0;
    for (const float x : in) sum += std::exp(double{x});
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR(row[i], std::exp(double{in[i]}) / sum, 3e-7);
  }
}

TYPED_TEST(SoftmaxTest, HandlesLargeAndTinyValues) {
  std::vector<float> large = {3e38F, -3e38F, 3e38F, 0.0F, 1.0F};
  softmax<TypeParam>(large);
  EXPECT_EQ(large, (std::vector<float>{0.5F, 0.0F, 0.5F, 0.0F, 0.0F}));
  std::vector<float> tiny = {1e-40F, -1e-40F, 0.0F, 1e-44F, 0.0F};
  softmax<TypeParam>(tiny);
  for (const float x : tiny) EXPECT_NEAR(x, 0.2F, 1e-7);
}

TYPED_TEST(SoftmaxTest, ANanOrInfinityMakesTheRowNan) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (size_t at = 0; at < 6; ++at) {
      std::vector<float> row(6, 0.25F);
      row[at] = bad;
      softmax<TypeParam>(row);
      for (const float x : row) EXPECT_TRUE(std::isnan(x));
    }
  }
}

}  // namespace
}  // namespace ambry::kernels
