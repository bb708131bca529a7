#include "kernels/similarity/dot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class DotTest : public ::testing::Test {};
TYPED_TEST_SUITE(DotTest, TypedIsas, IsaNames);

TYPED_TEST(DotTest, EqualsTheDefinition) {
  TestRandom random(4);
  for (size_t n = 0; n <= 9 * TypeParam::kLanes + 1; ++n) {
    const std::vector<float> a = random.floats(n);
    const std::vector<float> b = random.floats(n);
    double exact = 0;
    for (size_t i = 0; i < n; ++i) exact += double{a[i]} * double{b[i]};
    EXPECT_NEAR(dot<TypeParam>(a, b), exact, 2e-6) << n;
  }
}

TYPED_TEST(DotTest, NanAndInfinityReachTheResult) {
  for (size_t at = 0; at < 21; ++at) {
    std::vector<float> a(21, 1.0F);
    const std::vector<float> b(21, 1e-40F);
    EXPECT_NEAR(dot<TypeParam>(a, b), 21e-40, 1e-43);
    a[at] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(dot<TypeParam>(a, b), a[at]);
    a[at] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(dot<TypeParam>(a, b)));
  }
}

}  // namespace
}  // namespace ambry::kernels
