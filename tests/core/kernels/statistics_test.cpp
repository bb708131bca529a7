#include "kernels/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

constexpr float kLeastNormal = std::numeric_limits<float>::min();

template <class V>
class StatisticsTest : public ::testing::Test {};
TYPED_TEST_SUITE(StatisticsTest, TypedIsas, IsaNames);

// Computes the moments in two passes over long doubles.
void expect_moments(const RunStatistics& run, const std::vector<float>& values) {
  const auto n = static_cast<long double>(values.size());
  long double mean = 0;
  for (const float x : values) mean += x;
  mean /= n;
  long double m2 = 0;
  for (const float x : values) m2 += (x - mean) * (x - mean);
  const double found_mean = run.shift + run.sum / static_cast<double>(run.finite);
  const double found_m2 = run.sum_squares - run.sum * run.sum / static_cast<double>(run.finite);
  // A sum of n doubles, each within n/2 units of the 53rd bit.
  const double rounding = 1e-15 * static_cast<double>(n) + 1e-15;
  EXPECT_NEAR(found_mean, static_cast<double>(mean),
              rounding * std::fabs(static_cast<double>(mean)) + rounding);
  EXPECT_NEAR(found_m2, static_cast<double>(m2), 4 * rounding * static_cast<double>(m2) + 1e-300);
}

TYPED_TEST(StatisticsTest, AgreesWithTwoPassesAtAnyLength) {
  TestRandom random(1);
  for (size_t n = 1; n <= 3 * TypeParam::kLanes + 1; ++n) {
    const auto values = random.floats(n, 10.0F);
    const RunStatistics run = finite_statistics<TypeParam>(values, kLeastNormal);
    EXPECT_EQ(run.finite, n);
    EXPECT_EQ(run.min, *std::ranges::min_element(values));
    EXPECT_EQ(run.max, *std::ranges::max_element(values));
    EXPECT_EQ(run.zeros + run.denormals, 0U);
    expect_moments(run, values);
    double squares = 0;
    for (const float x : values) squares += static_cast<double>(x) * static_cast<double>(x);
    EXPECT_DOUBLE_EQ(sum_of_squares<TypeParam>(values), squares);
  }
}

TYPED_TEST(StatisticsTest, KeepsSmallVariancesAroundLargeMeans) {
  TestRandom random(2);
  std::vector<float> values = random.floats(kRunLength, 4.0F);
  for (float& x : values) x = 1e7F + std::round(x);
  expect_moments(finite_statistics<TypeParam>(values, kLeastNormal), values);
  values.front() = 0.0F;  // the value that the moments are taken about is far from all others
  expect_moments(finite_statistics<TypeParam>(values, kLeastNormal), values);
}

TYPED_TEST(StatisticsTest, CountsZerosAndDenormals) {
  const float tiny = kLeastNormal / 2;
  std::vector<float> values = {0.0F, -0.0F, tiny, -tiny, kLeastNormal, 1.0F, 0.0F, tiny, 2.0F};
  RunStatistics run = finite_statistics<TypeParam>(values, kLeastNormal);
  EXPECT_EQ(run.zeros, 3U);
  EXPECT_EQ(run.denormals, 3U);
  run = finite_statistics<TypeParam>(values, 0.0F);  // a type without denormals
  EXPECT_EQ(run.zeros, 3U);
  EXPECT_EQ(run.denormals, 0U);
}

TYPED_TEST(StatisticsTest, FindsNonFiniteValuesAtEveryPosition) {
  for (size_t n = 1; n <= 2 * TypeParam::kLanes + 1; ++n) {
    std::vector<float> values(n, std::numeric_limits<float>::max());
    EXPECT_TRUE(all_finite<TypeParam>(values));
    for (size_t i = 0; i < n; ++i) {
      for (const float bad :
           {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
            std::numeric_limits<float>::quiet_NaN()}) {
        auto with = values;
        with[i] = bad;
        EXPECT_FALSE(all_finite<TypeParam>(with)) << i << " of " << n;
      }
    }
  }
}

TYPED_TEST(StatisticsTest, CountsIntoBins) {
  std::vector<uint64_t> bins(8);
  // Bins of width 0.5: [-2, -1.5), …, [1.5, 2).
  const std::vector<float> values = {-2.0F, -1.5F, -1.4F,  -1e-6F, 0.0F, -0.0F,
                                     0.49F, 0.5F,  1.999F, 1.5F,   1.0F};
  count_into_bins<TypeParam>(values, 2.0F, bins);
  EXPECT_EQ(bins, (std::vector<uint64_t>{1, 2, 0, 1, 3, 1, 1, 2}));
}

}  // namespace
}  // namespace ambry::kernels
