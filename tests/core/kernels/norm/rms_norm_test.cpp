#include "kernels/norm/rms_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/special_values.h"
#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class RmsNormTest : public ::testing::Test {};
TYPED_TEST_SUITE(RmsNormTest, TypedIsas, IsaNames);

TYPED_TEST(RmsNormTest, EqualsTheDefinition) {
  TestRandom random(21);
  for (const size_t n : {1U, 2U, 4U, 7U, 13U, 64U, 257U}) {
    const std::vector<float> row = random.floats(n, 3.0F);
    const std::vector<float> weight = random.floats(n);
    std::vector<float> out(n);
    rms_norm<TypeParam>(row, weight, 1e-5F, out.data());
    double squares = 0;
    for (const float x : row) squares += double{x} * double{x};
    const double factor = 1 / std::sqrt(squares / static_cast<double>(n) + 1e-5);
    for (size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(out[i], double{row[i]} * factor * double{weight[i]}, 1e-6) << n << " " << i;
    }
  }
}

TYPED_TEST(RmsNormTest, WorksInPlaceAndTakesARowOfZeros) {
  std::vector<float> row = {3.0F, 4.0F, 0.0F, 0.0F, 0.0F};
  const std::vector<float> weight = {1.0F, 2.0F, 1.0F, 1.0F, 1.0F};
  rms_norm<TypeParam>(row, weight, 0.0F, row.data());
  EXPECT_NEAR(row[0], 3 / std::sqrt(5.0), 1e-6);
  EXPECT_NEAR(row[1], 8 / std::sqrt(5.0), 1e-6);
  std::vector<float> zeros(5, 0.0F);
  rms_norm<TypeParam>(zeros, weight, 1e-6F, zeros.data());
  EXPECT_EQ(zeros, std::vector<float>(5, 0.0F));
}

TYPED_TEST(RmsNormTest, NanSpreadsOverTheRow) {
  std::vector<float> row(7, 1.0F);
  row[5] = kNan;
  rms_norm<TypeParam>(row, std::vector<float>(7, 1.0F), 1e-5F, row.data());
  for (const float x : row) EXPECT_TRUE(std::isnan(x));
}

}  // namespace
}  // namespace ambry::kernels
