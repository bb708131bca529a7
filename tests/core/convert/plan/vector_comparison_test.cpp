#include "convert/plan/vector_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ambry::convert {
namespace {

using Row = std::vector<float>;

TEST(VectorComparison, AveragesOverRows) {
  VectorComparison comparison;
  comparison.add(Row{1, 0}, Row{0, 2});
  comparison.add(Row{3, 4}, Row{3, 4});
  comparison.add(Row{1, 0}, Row{1, 1});
  const double half = std::sqrt(0.5);
  EXPECT_EQ(comparison.rows, 3U);
  EXPECT_DOUBLE_EQ(comparison.cosine.mean(), (0 + 1 + half) / 3);
  EXPECT_DOUBLE_EQ(comparison.distance.mean(), (std::sqrt(5.0) + 0 + 1) / 3);
  const double mean = (1 + half) / 3;
  const double squares = mean * mean + (1 - mean) * (1 - mean) + (half - mean) * (half - mean);
  EXPECT_DOUBLE_EQ(comparison.cosine.deviation(), std::sqrt(squares / 2));
}

TEST(VectorComparison, AcceptsRowsOfZeros) {
  VectorComparison kept;
  kept.add(Row{0, 0}, Row{0, 0});
  EXPECT_EQ(kept.cosine.mean(), 1.0);
  EXPECT_EQ(kept.cosine.deviation(), 0.0);
  EXPECT_EQ(kept.distance.mean(), 0.0);
  VectorComparison lost;
  lost.add(Row{3, 4}, Row{0, 0});
  EXPECT_EQ(lost.cosine.mean(), 0.0);
  EXPECT_EQ(lost.distance.mean(), 5.0);
}

}  // namespace
}  // namespace ambry::convert
