// The three parts of a map: the plane, the neighbours, the layout.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "search/ivf/make_vectors.h"
#include "search/map/map_layout.h"
#include "search/map/near_rows.h"
#include "search/map/principal_plane.h"

namespace ambry::search {
namespace {

float dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<float> unit_rows(VectorMaker& maker, size_t n, size_t dim, float spread) {
  std::vector<float> rows = maker.rows(n, spread);
  for (size_t i = 0; i < n; ++i) {
    const auto row = std::span(rows).subspan(i * dim, dim);
    const float factor = 1 / std::sqrt(dot(row, row));
    for (float& x : row) x *= factor;
  }
  return rows;
}

std::vector<float> plane_of(std::span<const float> rows, size_t dim) {
  PrincipalPlane plane(rows, dim);
  while (plane.step()) {
  }
  return plane.points();
}

TEST(PrincipalPlane, FindsTheTwoDirectionsOfTheLargestVariance) {
  constexpr size_t kDim = 40;
  VectorMaker maker(kDim, 1);
  std::vector<float> rows(5000 * kDim);
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t j = i % kDim;
    const float width = j == 7 ? 5.0F : j == 30 ? 3.0F : 0.2F;
    rows[i] = 2 + width * maker.number();
  }
  const std::vector<float> points = plane_of(rows, kDim);
  float along_first = 0;
  float along_second = 0;
  float first = 0;
  float second = 0;
  for (size_t i = 0; i < 5000; ++i) {
    along_first += points[2 * i] * (rows[i * kDim + 7] - 2);
    along_second += points[2 * i + 1] * (rows[i * kDim + 30] - 2);
    first += points[2 * i] * points[2 * i];
    second += points[2 * i + 1] * points[2 * i + 1];
  }
  EXPECT_NEAR(std::abs(along_first) / first, 1, 0.02);
  EXPECT_NEAR(std::abs(along_second) / second, 1, 0.02);
}

TEST(PrincipalPlane, PutsEqualRowsAtTheOrigin) {
  const std::vector<float> rows(300 * 5, 0.25F);
  for (const float x : plane_of(rows, 5)) EXPECT_EQ(x, 0);
  for (const float x : plane_of(std::vector<float>(7), 7)) EXPECT_EQ(x, 0);
}

std::vector<uint32_t> neighbours_of(std::span<const float> rows, size_t dim, size_t count) {
  NearRows job = NearRows::begin(rows, dim, count).value();
  uint32_t before = 0;
  while (job.step().value()) {
    EXPECT_GE(job.progress(), before);
    before = job.progress();
  }
  EXPECT_EQ(job.progress(), 1000U);
  return job.neighbours();
}

class NearRowsTest : public ::testing::TestWithParam<size_t> {};
INSTANTIATE_TEST_SUITE_P(Counts, NearRowsTest, ::testing::Values(6, 700, 2048, 2049, 6000));

// Many rows are grouped, and a few of their neighbours are missed.
TEST_P(NearRowsTest, FindsAllOrNearlyAllNeighbours) {
  constexpr size_t kDim = 24;
  constexpr size_t kCount = 5;
  const size_t n = GetParam();
  VectorMaker maker(kDim, 60);
  const std::vector<float> rows = unit_rows(maker, n, kDim, 0.5F);
  const std::vector<uint32_t> found = neighbours_of(rows, kDim, kCount);
  ASSERT_EQ(found.size(), n * kCount);
  size_t right = 0;
  size_t asked = 0;
  for (size_t i = 0; i < n; i += 1 + n / 200) {
    const auto row = [&](size_t j) { return std::span(rows).subspan(j * kDim, kDim); };
    std::vector<std::pair<float, uint32_t>> all;
    for (uint32_t j = 0; j < n; ++j) {
      if (j != i) all.emplace_back(-dot(row(i), row(j)), j);
    }
    std::ranges::sort(all);
    std::set<uint32_t> nearest;
    for (size_t k = 0; k < kCount; ++k) nearest.insert(all[k].second);
    for (size_t k = 0; k < kCount; ++k) right += nearest.count(found[i * kCount + k]);
    asked += kCount;
    EXPECT_EQ(nearest.count(static_cast<uint32_t>(i)), 0U);
  }
  EXPECT_GE(right, n > 2048 ? asked * 8 / 10 : asked);
}

// All are in one group. The candidates of a row are bounded, so that this ends soon.
TEST(NearRows, TakesEqualRows) {
  const std::vector<float> rows(9000 * 4, 0.5F);
  const std::vector<uint32_t> found = neighbours_of(rows, 4, 3);
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_LT(found[i], 9000U);
    EXPECT_NE(found[i], i / 3);
  }
}

TEST(Layout, PutsNeighboursCloserThanOthers) {
  constexpr size_t kDim = 24;
  constexpr size_t kGroups = 6;
  VectorMaker maker(kDim, kGroups);
  const std::vector<float> rows = unit_rows(maker, 600, kDim, 0.3F);
  Layout layout(plane_of(rows, kDim), neighbours_of(rows, kDim, 8), 8);
  while (layout.step()) {
  }
  const std::vector<float> points = layout.points();
  const auto distance = [&](size_t i, size_t j) {
    return std::hypot(points[2 * i] - points[2 * j], points[2 * i + 1] - points[2 * j + 1]);
  };
  double own = 0;
  double other = 0;
  for (size_t i = 0; i < 590; ++i) {
    own += distance(i, i % kGroups);  // the group of row i is i % kGroups
    other += distance(i, (i + 1) % kGroups);
  }
  EXPECT_GT(other, 3 * own);
}

TEST(Layout, IsCentredAndOfUnitSize) {
  VectorMaker maker(8, 10);
  const std::vector<float> rows = unit_rows(maker, 400, 8, 0.3F);
  Layout layout(plane_of(rows, 8), neighbours_of(rows, 8, 4), 4);
  Layout same(plane_of(rows, 8), neighbours_of(rows, 8, 4), 4);
  while (layout.step()) {
  }
  uint32_t before = 0;
  while (same.step()) {
    EXPECT_GE(same.progress(), before);
    before = same.progress();
  }
  const std::vector<float> points = layout.points();
  EXPECT_EQ(points, same.points());
  double x = 0;
  double y = 0;
  double xx = 0;
  double yy = 0;
  for (size_t i = 0; i < points.size(); i += 2) {
    x += points[i];
    y += points[i + 1];
    xx += points[i] * points[i];
    yy += points[i + 1] * points[i + 1];
  }
  EXPECT_NEAR(x / 400, 0, 1e-4);
  EXPECT_NEAR(y / 400, 0, 1e-4);
  EXPECT_NEAR((xx + yy) / 400, 1, 1e-4);
  EXPECT_GE(xx, yy);
}

TEST(Layout, PartsEqualPointsAndStaysFinite) {
  std::vector<uint32_t> next(50);
  for (uint32_t i = 0; i < 50; ++i) next[i] = (i + 1) % 50;
  Layout layout(std::vector<float>(100), next, 1);
  while (layout.step()) {
  }
  const std::vector<float> points = layout.points();
  for (const float x : points) EXPECT_TRUE(std::isfinite(x));
  EXPECT_EQ(std::set<float>(points.begin(), points.end()).size(), points.size());
}

}  // namespace
}  // namespace ambry::search
