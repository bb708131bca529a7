#include "search/top_k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/made_up_numbers.h"

namespace ambry::search {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<uint32_t> rows_of(const std::vector<Hit>& hits) {
  std::vector<uint32_t> rows;
  for (const Hit& hit : hits) rows.push_back(hit.row);
  return rows;
}

// Rows of one number, so that the score of a row for the query 1 is the number.
std::vector<uint32_t> best(const std::vector<float>& scores, size_t k) {
  const float one = 1.0F;
  return rows_of(top_k(scores, {&one, 1}, k));
}

TEST(TopKTest, FindsTheBestOfManyRows) {
  MadeUpNumbers numbers(20);
  constexpr size_t kRows = 500;
  constexpr size_t kDim = 37;
  const std::vector<float> matrix = numbers.floats(kRows * kDim);
  const std::vector<float> query = numbers.floats(kDim);
  std::vector<std::pair<double, uint32_t>> exact;
  for (uint32_t row = 0; row < kRows; ++row) {
    double score = 0;
    for (size_t i = 0; i < kDim; ++i) score += double{matrix[row * kDim + i]} * double{query[i]};
    exact.emplace_back(-score, row);
  }
  std::ranges::sort(exact);
  const std::vector<Hit> hits = top_k(matrix, query, 10);
  ASSERT_EQ(hits.size(), 10U);
  for (size_t i = 0; i < hits.size(); ++i) {
    EXPECT_EQ(hits[i].row, exact[i].second);
    EXPECT_NEAR(hits[i].score, -exact[i].first, 1e-5);
  }
}

TEST(TopKTest, TiesGoToTheLowerRow) {
  EXPECT_EQ(best({1, 2, 2, 1, 2}, 5), (std::vector<uint32_t>{1, 2, 4, 0, 3}));
  EXPECT_EQ(best({1, 2, 2, 1, 2}, 2), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(best({0.0F, -0.0F, 0.0F}, 3), (std::vector<uint32_t>{0, 1, 2}));
}

TEST(TopKTest, TakesAnyK) {
  EXPECT_EQ(best({1, 3, 2}, 0), std::vector<uint32_t>{});
  EXPECT_EQ(best({1, 3, 2}, 1), std::vector<uint32_t>{1});
  EXPECT_EQ(best({1, 3, 2}, SIZE_MAX), (std::vector<uint32_t>{1, 2, 0}));
  EXPECT_EQ(best({}, 3), std::vector<uint32_t>{});
}

TEST(TopKTest, NanScoresComeLast) {
  EXPECT_EQ(best({kNan, -kInfinity, kNan, 1, kInfinity}, 5),
            (std::vector<uint32_t>{4, 3, 1, 0, 2}));
  EXPECT_EQ(best({kNan, kNan, -5}, 1), std::vector<uint32_t>{2});
}

}  // namespace
}  // namespace ambry::search
