#include "search/ivf/k_means.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "search/ivf/list_set.h"
#include "search/ivf/make_vectors.h"

namespace ambry::search {
namespace {

float squared_distance(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

TEST(KMeans, FindsTheGroups) {
  constexpr uint32_t kDim = 20;
  VectorMaker maker(kDim, 7);
  const std::vector<float> rows = maker.rows(700, 0.05F);
  KMeans job = KMeans::create(rows, kDim, 7, 8).value();
  ASSERT_TRUE(job.run());
  auto finder = NearestCentroids::create(job.centroids(), kDim).value();
  std::vector<uint32_t> nearest(700);
  finder.find(rows, nearest);
  std::set<uint32_t> used;
  for (size_t i = 0; i < nearest.size(); ++i) {
    EXPECT_EQ(nearest[i], nearest[i % 7]) << i;
    used.insert(nearest[i]);
  }
  EXPECT_EQ(used.size(), 7U);
}

TEST(KMeans, GivesTheSameForEqualRowsAndCountsItsWork) {
  VectorMaker maker(12, 30);
  const std::vector<float> rows = maker.rows(3000, 0.6F);
  KMeans one = KMeans::create(rows, 12, 40, 5).value();
  KMeans other = KMeans::create(rows, 12, 40, 5).value();
  ASSERT_TRUE(one.run());
  uint64_t before = 0;
  while (other.step().value()) {
    EXPECT_GT(other.done_rows(), before);
    before = other.done_rows();
  }
  EXPECT_EQ(other.done_rows(), other.total_rows());
  EXPECT_EQ(one.centroids(), other.centroids());
}

TEST(KMeans, LeavesACentroidWithoutRowsWhereItWas) {
  const std::vector<float> rows(64 * 3, 1.0F);
  KMeans job = KMeans::create(rows, 3, 4, 3).value();
  ASSERT_TRUE(job.run());
  EXPECT_EQ(job.centroids(), std::vector<float>(12, 1.0F));
}

class NearestCentroidsTest : public ::testing::TestWithParam<size_t> {};
INSTANTIATE_TEST_SUITE_P(Counts, NearestCentroidsTest, ::testing::Values(1, 5, 255, 256, 1000));

// Many centroids are grouped, and a few rows get one that is nearly the nearest.
TEST_P(NearestCentroidsTest, FindsTheNearestOrNearlySo) {
  constexpr uint32_t kDim = 24;
  const size_t n = GetParam();
  VectorMaker maker(kDim, 60);
  const std::vector<float> centroids = maker.rows(n, 0.5F);
  const std::vector<float> rows = maker.rows(900, 0.5F);
  auto finder = NearestCentroids::create(centroids, kDim).value();
  std::vector<uint32_t> nearest(900);
  finder.find(rows, nearest);
  size_t exact = 0;
  for (size_t row = 0; row < nearest.size(); ++row) {
    const auto at = [&](size_t i) { return std::span(centroids).subspan(i * kDim, kDim); };
    const auto vector = std::span(rows).subspan(row * kDim, kDim);
    float least = std::numeric_limits<float>::infinity();
    for (size_t i = 0; i < n; ++i) least = std::min(least, squared_distance(at(i), vector));
    ASSERT_LT(nearest[row], n);
    const float found = squared_distance(at(nearest[row]), vector);
    EXPECT_LE(found, 2 * least + 1e-4F);
    if (found <= least + 1e-4F) ++exact;
  }
  EXPECT_GE(exact, n < 256 ? 900U : 855U);
}

TEST(ChainOrder, HasEveryCentroidOnceAndNeighboursSideBySide) {
  VectorMaker maker(16, 9);
  for (const size_t n : {1U, 90U, 900U}) {
    const std::vector<float> centroids = maker.rows(n, 0.01F);
    const auto order = chain_order(centroids, 16);
    ASSERT_TRUE(order);
    EXPECT_EQ(std::set<uint32_t>(order->begin(), order->end()).size(), n);
    ASSERT_EQ(order->size(), n);
    size_t jumps = 0;
    for (size_t i = 1; i < n; ++i) {
      if ((*order)[i] % 9 != (*order)[i - 1] % 9) ++jumps;
    }
    EXPECT_LE(jumps, n / 10);
  }
}

}  // namespace
}  // namespace ambry::search
