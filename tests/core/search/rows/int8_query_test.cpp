#include "search/rows/int8_query.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/test_random.h"
#include "search/make_rows.h"

namespace ambry::search {
namespace {

// A search relies on this to skip rows. Queries and rows of all sizes.
TEST(Int8QueryTest, NoRowScoresAboveItsBound) {
  TestRandom random(41);
  for (const uint32_t dim : {1U, 3U, 17U, 384U, 517U, 4099U}) {
    for (const float factor : {1e-44F, 1e-30F, 0.05F, 1.0F, 1e20F}) {
      const std::vector<float> query = random.floats(dim, factor);
      const Int8Query bytes(query);
      Int8Rows rows(dim);
      std::vector<int8_t> row(dim);
      for (size_t i = 0; i < 50; ++i) {
        for (int8_t& x : row) x = static_cast<int8_t>(random.bits() & 0xFFU);
        rows.add(std::abs(random.next()), row);
        const double bound = bytes.upper_bound(rows.rows().row(i));
        EXPECT_LE(double{rows.score(i, query)}, bound) << dim << " " << factor;
      }
    }
  }
}

// With a loose bound every row would be rescored.
TEST(Int8QueryTest, TheBoundIsTight) {
  TestRandom random(42);
  constexpr uint32_t kDim = 384;
  const std::vector<float> query = random.floats(kDim, 0.08F);
  const Int8Query bytes(query);
  Int8Rows rows(kDim);
  std::vector<int8_t> row(kDim);
  for (int8_t& x : row) x = static_cast<int8_t>(random.next() * 127.0F);
  rows.add(0.001F, row);
  EXPECT_NEAR(bytes.upper_bound(rows.rows().row(0)), rows.score(0, query), 1e-3);
}

TEST(Int8QueryTest, AppliesTheScale) {
  Int8Rows rows(3);
  rows.add(0.5F, std::vector<int8_t>{2, -4, 127});
  const std::vector<float> query = {1, 0.5F, 2};
  const Int8Query bytes(query);
  EXPECT_EQ(bytes.score(rows.rows().row(0)), 127.0F);
  EXPECT_NEAR(bytes.upper_bound(rows.rows().row(0)), 127.0, 0.01);
}

TEST(Int8QueryTest, HasNoBoundWhereSumsMayOverflow) {
  Int8Rows rows(2);
  rows.add(1e-3F, std::vector<int8_t>{127, -127});
  const float large = std::numeric_limits<float>::max();
  const std::vector<float> query = {large, large};
  const Int8Query bytes(query);
  EXPECT_GT(bytes.upper_bound(rows.rows().row(0)), std::numeric_limits<float>::max());
}

TEST(Int8QueryTest, AZeroQueryScoresZero) {
  Int8Rows rows(2);
  rows.add(1, std::vector<int8_t>{127, -127});
  const std::vector<float> query = {0, -0.0F};
  const Int8Query bytes(query);
  EXPECT_EQ(bytes.score(rows.rows().row(0)), 0.0F);
  EXPECT_GE(bytes.upper_bound(rows.rows().row(0)), 0.0);
}

}  // namespace
}  // namespace ambry::search
