#include "kernels/linear_algebra/f64_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class F64RowsTest : public ::testing::Test {
 protected:
  static std::vector<double> doubles(size_t n, uint64_t seed) {
    const std::vector<float> values = TestRandom(seed).floats(n);
    return {values.begin(), values.end()};
  }
};
TYPED_TEST_SUITE(F64RowsTest, TypedIsas, IsaNames);

TYPED_TEST(F64RowsTest, EqualTheirDefinitionsAtEveryLength) {
  using V = TypeParam;
  for (size_t n = 0; n <= 3 * V::kLanes + 1; ++n) {
    std::vector<double> a = this->doubles(n, 1);
    std::vector<double> b = this->doubles(n, 2);
    const std::vector<double> x = a;
    const std::vector<double> y = b;
    const DotProducts sums = dot_products<V>(a, b);
    DotProducts expected{};
    for (size_t i = 0; i < n; ++i) {
      expected.aa += x[i] * x[i];
      expected.ab += x[i] * y[i];
      expected.bb += y[i] * y[i];
    }
    EXPECT_NEAR(sums.aa, expected.aa, 1e-14);
    EXPECT_NEAR(sums.ab, expected.ab, 1e-14);
    EXPECT_NEAR(sums.bb, expected.bb, 1e-14);
    rotate_rows<V>(a, b, 0.6, 0.8);
    for (size_t i = 0; i < n; ++i) {
      EXPECT_EQ(a[i], 0.6 * x[i] - 0.8 * y[i]);
      EXPECT_EQ(b[i], 0.8 * x[i] + 0.6 * y[i]);
    }
    a = x;
    axpy<V>(y, -2.5, a);
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(a[i], x[i] - 2.5 * y[i]);
  }
}

}  // namespace
}  // namespace ambry::kernels
