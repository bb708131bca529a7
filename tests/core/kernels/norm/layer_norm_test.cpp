#include "kernels/norm/layer_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

std::vector<double> oracle(const std::vector<float>& row, const std::vector<float>& weight,
                           const std::vector<float>& bias, double epsilon) {
  const auto n = static_cast<double>(row.size());
  double mean = 0;
  for (const float x : row) mean += double{x} / n;
  double variance = 0;
  for (const float x : row) variance += (double{x} - mean) * (double{x} - mean) / n;
  std::vector<double> out;
  for (size_t i = 0; i < row.size(); ++i) {
    out.push_back((double{row[i]} - mean) / std::sqrt(variance + epsilon) * double{weight[i]} +
                  double{bias[i]});
  }
  return out;
}

template <class V>
class LayerNormTest : public ::testing::Test {};
TYPED_TEST_SUITE(LayerNormTest, TypedIsas, IsaNames);

TYPED_TEST(LayerNormTest, EqualsTheDefinition) {
  TestRandom random(2);
  for (size_t n = 1; n <= 3 * TypeParam::kLanes + 1; ++n) {
    std::vector<float> row = random.floats(n, 3.0F);
    const std::vector<float> weight = random.floats(n);
    const std::vector<float> bias = random.floats(n);
    const std::vector<double> exact = oracle(row, weight, bias, 1e-12);
    layer_norm<TypeParam>(row, weight, bias, 1e-12F);
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR(row[i], exact[i], 2e-6) << n << " " << i;
  }
}

// 0.1 has no exact mean in binary32. Without the correction the result would be off by some
// thousandths.
TYPED_TEST(LayerNormTest, EqualValuesGiveExactlyTheBias) {
  for (const size_t n : {5U, 120U, 384U}) {
    for (const float value : {0.1F, -1234.567F, 1e-40F, 0.0F}) {
      std::vector<float> row(n, value);
      const std::vector<float> weight(n, 1.0F);
      const std::vector<float> bias(n, 0.5F);
      layer_norm<TypeParam>(row, weight, bias, 1e-12F);
      for (const float x : row) EXPECT_NEAR(x, 0.5F, 1e-6);
    }
  }
}

TYPED_TEST(LayerNormTest, KeepsSmallDeviationsFromALargeMean) {
  TestRandom random(3);
  std::vector<float> row;
  for (int i = 0; i < 384; ++i) row.push_back(1000.0F + random.next());
  const std::vector<float> weight(row.size(), 1.0F);
  const std::vector<float> bias(row.size(), 0.0F);
  const std::vector<double> exact = oracle(row, weight, bias, 1e-12);
  layer_norm<TypeParam>(row, weight, bias, 1e-12F);
  for (size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(row[i], exact[i], 2e-6);
}

TYPED_TEST(LayerNormTest, NanAndInfinitySpreadOverTheRow) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> row(7, 1.0F);
    row[5] = bad;
    layer_norm<TypeParam>(row, std::vector<float>(7, 1.0F), std::vector<float>(7, 0.0F), 1e-12F);
    EXPECT_TRUE(std::isnan(row[0]));
  }
}

}  // namespace
}  // namespace ambry::kernels
