#include "convert/plan/report.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ambry::convert {
namespace {

TEST(ErrorSums, MatchTheFormulas) {
  const std::vector<float> before = {3, 0, -4, 0, 0, 0, 0};
  const std::vector<float> after = {3, 1, -4, 0, 0, 0, -2};
  ErrorSums sums;
  sums.add(before, after);
  EXPECT_DOUBLE_EQ(sums.max_abs_error(), 2);
  EXPECT_DOUBLE_EQ(sums.relative_error(), std::sqrt(5.0) / 5);
  EXPECT_DOUBLE_EQ(sums.cosine(), 25 / (5 * std::sqrt(30.0)));
}

TEST(ErrorSums, AreTheSameInPieces) {
  std::vector<float> before(101);
  std::vector<float> after(101);
  for (size_t i = 0; i < before.size(); ++i) {
    before[i] = std::sin(static_cast<float>(i));
    after[i] = std::nearbyint(before[i] * 8) / 8;
  }
  ErrorSums whole;
  whole.add(before, after);
  ErrorSums pieces;
  for (size_t at = 0; at < before.size(); at += 7) {
    const size_t n = std::min<size_t>(7, before.size() - at);
    pieces.add(std::span(before).subspan(at, n), std::span(after).subspan(at, n));
  }
  EXPECT_DOUBLE_EQ(pieces.max_abs_error(), whole.max_abs_error());
  EXPECT_NEAR(pieces.relative_error(), whole.relative_error(), 1e-14);
  EXPECT_NEAR(pieces.cosine(), whole.cosine(), 1e-14);
}

TEST(ErrorSums, HandleTensorsOfZeros) {
  const float zero[] = {0, 0};
  const float one[] = {1, 0};
  ErrorSums none;
  none.add(zero, zero);
  EXPECT_EQ(none.relative_error(), 0);
  EXPECT_EQ(none.cosine(), 1);
  ErrorSums lost;
  lost.add(one, zero);
  EXPECT_EQ(lost.relative_error(), 1);
  EXPECT_EQ(lost.cosine(), 0);
  ErrorSums made;
  made.add(zero, one);
  EXPECT_TRUE(std::isnan(made.relative_error()));
}

}  // namespace
}  // namespace ambry::convert
