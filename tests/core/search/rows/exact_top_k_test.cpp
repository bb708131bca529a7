#include "search/rows/exact_top_k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/test_random.h"
#include "search/make_rows.h"

namespace ambry::search {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Rows floats(const std::vector<float>& matrix, uint32_t dim) {
  return {RowKind::F32, dim, bytes_of(std::span<const float>(matrix))};
}

// Rows of one dimension: the score for the query 1 is the value itself.
std::vector<uint32_t> best(const std::vector<float>& scores, size_t k,
                           const std::vector<float>& bias = {}) {
  const float one = 1.0F;
  return rows_of(exact_top_k(floats(scores, 1), {&one, 1}, bias, k));
}

TEST(ExactTopKTest, EqualsAFullSort) {
  TestRandom random(20);
  constexpr size_t kRows = 500;
  constexpr uint32_t kDim = 37;
  const std::vector<float> matrix = random.floats(kRows * kDim);
  const std::vector<float> query = random.floats(kDim);
  std::vector<std::pair<double, uint32_t>> exact;
  for (uint32_t row = 0; row < kRows; ++row) {
    double score = 0;
    for (size_t i = 0; i < kDim; ++i) score += double{matrix[row * kDim + i]} * double{query[i]};
    exact.emplace_back(-score, row);
  }
  std::ranges::sort(exact);
  const std::vector<Hit> hits = exact_top_k(floats(matrix, kDim), query, {}, 10);
  ASSERT_EQ(hits.size(), 10U);
  for (size_t i = 0; i < hits.size(); ++i) {
    EXPECT_EQ(hits[i].row, exact[i].second);
    EXPECT_NEAR(hits[i].score, -exact[i].first, 1e-5);
  }
}

TEST(ExactTopKTest, TiesGoToTheLowerRow) {
  EXPECT_EQ(best({1, 2, 2, 1, 2}, 5), (std::vector<uint32_t>{1, 2, 4, 0, 3}));
  EXPECT_EQ(best({1, 2, 2, 1, 2}, 2), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(best({0.0F, -0.0F, 0.0F}, 3), (std::vector<uint32_t>{0, 1, 2}));
}

TEST(ExactTopKTest, TakesAnyK) {
  EXPECT_EQ(best({1, 3, 2}, 0), std::vector<uint32_t>{});
  EXPECT_EQ(best({1, 3, 2}, 1), std::vector<uint32_t>{1});
  EXPECT_EQ(best({1, 3, 2}, SIZE_MAX), (std::vector<uint32_t>{1, 2, 0}));
  EXPECT_EQ(best({}, 3), std::vector<uint32_t>{});
}

TEST(ExactTopKTest, NanScoresComeLast) {
  EXPECT_EQ(best({kNan, -kInfinity, kNan, 1, kInfinity}, 5),
            (std::vector<uint32_t>{4, 3, 1, 0, 2}));
  EXPECT_EQ(best({kNan, kNan, -5}, 1), std::vector<uint32_t>{2});
}

TEST(ExactTopKTest, RanksByScoreAndBias) {
  EXPECT_EQ(best({1, 2, 3, 4}, 4, {4, 0, 0, 0.5F}), (std::vector<uint32_t>{0, 3, 2, 1}));
  EXPECT_EQ(best({1, 2, 3, 4}, 4, {-kInfinity, 0, -kInfinity, 0}), (std::vector<uint32_t>{3, 1}));
  EXPECT_TRUE(best({1, 2}, 4, {-kInfinity, -kInfinity}).empty());
  EXPECT_EQ(best({1, 2, 3}, 3, {kNan, 0, kInfinity}), (std::vector<uint32_t>{2, 1, 0}));
  const float one = 1.0F;
  const std::vector<float> matrix = {0.25F, 0.5F};
  const std::vector<float> bias = {1, 0};
  EXPECT_EQ(exact_top_k(floats(matrix, 1), {&one, 1}, bias, 9),
            (std::vector<Hit>{{0, 0.25F, 1.25F}, {1, 0.5F, 0.5F}}));
}

// Scores all rows in f32 and sorts them. A search over int8 rows must give the same scores.
std::vector<Hit> scan(const Int8Rows& rows, std::span<const float> query,
                      const std::vector<float>& bias, size_t k) {
  std::vector<Hit> all;
  for (uint32_t i = 0; i < rows.rows().size(); ++i) {
    const float row_bias = bias.empty() ? 0.0F : bias[i];
    if (row_bias == -kInfinity) continue;
    const float score = rows.score(i, query);
    all.push_back({i, score, static_cast<float>(double{score} + double{row_bias})});
  }
  std::ranges::sort(all, [](const Hit& a, const Hit& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.row < b.row;
  });
  all.resize(std::min(k, all.size()));
  return all;
}

// Rows so close together that the bound alone cannot distinguish them.
Int8Rows near_rows(TestRandom& random, uint32_t dim, size_t n) {
  Int8Rows rows(dim);
  std::vector<int8_t> row(dim);
  for (int8_t& x : row) x = static_cast<int8_t>(random.next() * 127.0F);
  for (size_t i = 0; i < n; ++i) {
    int8_t& x = row[random.bits() % dim];
    x = static_cast<int8_t>(random.next() * 127.0F);
    rows.add(0.0079F + 1e-9F * random.next(), row);
  }
  return rows;
}

TEST(ExactTopKTest, Int8EqualsAScanInF32) {
  TestRandom random(21);
  for (const uint32_t dim : {1U, 5U, 32U, 100U, 384U, 1030U}) {
    const Int8Rows rows = near_rows(random, dim, 400);
    std::vector<float> bias = random.floats(400, 1e-3F);
    for (size_t i = 0; i < bias.size(); i += 7) bias[i] = -kInfinity;
    for (const float factor : {1e-38F, 0.1F, 1e28F, 1e33F}) {
      const std::vector<float> query = random.floats(dim, factor);
      for (const size_t k : {1U, 10U, 400U}) {
        EXPECT_EQ(exact_top_k(rows.rows(), query, {}, k), scan(rows, query, {}, k)) << dim;
        EXPECT_EQ(exact_top_k(rows.rows(), query, bias, k), scan(rows, query, bias, k)) << dim;
      }
    }
  }
}

TEST(ExactTopKTest, EqualInt8RowsGoToTheLowerRow) {
  Int8Rows rows(4);
  for (int i = 0; i < 9; ++i) rows.add(0.1F, std::vector<int8_t>{1, 2, 3, 4});
  const std::vector<float> query = {0.3F, 0.1F, 0.7F, 0.2F};
  EXPECT_EQ(rows_of(exact_top_k(rows.rows(), query, {}, 3)), (std::vector<uint32_t>{0, 1, 2}));
}

}  // namespace
}  // namespace ambry::search
