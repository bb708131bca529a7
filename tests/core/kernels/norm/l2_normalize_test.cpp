#include "kernels/norm/l2_normalize.h"

#include <gtest/gtest.h>

#include <vector>

namespace ambry::kernels {
namespace {

TEST(L2NormalizeTest, GivesUnitLength) {
  std::vector<float> row = {3.0F, 0.0F, -4.0F};
  l2_normalize(row, 1e-12);
  EXPECT_EQ(row, (std::vector<float>{0.6F, 0.0F, -0.8F}));
}

TEST(L2NormalizeTest, DividesShortRowsByTheFloor) {
  std::vector<float> zeros(3, 0.0F);
  l2_normalize(zeros, 1e-12);
  EXPECT_EQ(zeros, std::vector<float>(3, 0.0F));
  std::vector<float> tiny = {1e-13F};
  l2_normalize(tiny, 1e-12);
  EXPECT_FLOAT_EQ(tiny[0], 0.1F);
}

TEST(L2NormalizeTest, DoesNotOverflow) {
  std::vector<float> row(4, 3e38F);
  l2_normalize(row, 1e-12);
  EXPECT_EQ(row, std::vector<float>(4, 0.5F));
}

}  // namespace
}  // namespace ambry::kernels
