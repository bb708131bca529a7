#include "infer/encoder/batch_plan.h"

#include <gtest/gtest.h>

namespace ambry::infer {
namespace {

using Batches = std::vector<std::vector<uint32_t>>;

TEST(BatchPlanTest, PutsLongTextsFirstAndKeepsTheOrderOfTies) {
  const std::vector<uint32_t> lengths = {3, 9, 3, 5};
  EXPECT_EQ(plan_batches(lengths, 100), (Batches{{1, 3, 0, 2}}));
}

TEST(BatchPlanTest, BoundsTheTokensOfABatch) {
  const std::vector<uint32_t> lengths = {4, 6, 4, 2, 10};
  EXPECT_EQ(plan_batches(lengths, 10), (Batches{{4}, {1, 0}, {2, 3}}));
}

TEST(BatchPlanTest, AnOverlongTextRunsAlone) {
  const std::vector<uint32_t> lengths = {1, 50, 1};
  EXPECT_EQ(plan_batches(lengths, 10), (Batches{{1}, {0, 2}}));
}

TEST(BatchPlanTest, IncludesEmptyTexts) {
  const std::vector<uint32_t> lengths = {0, 0};
  EXPECT_EQ(plan_batches(lengths, 10), (Batches{{0, 1}}));
  EXPECT_TRUE(plan_batches({}).empty());
}

}  // namespace
}  // namespace ambry::infer
