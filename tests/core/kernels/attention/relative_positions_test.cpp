#include "kernels/attention/relative_positions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ambry::kernels {
namespace {

TEST(AlibiSlopesTest, HalveForEightHeads) {
  EXPECT_EQ(alibi_slopes(8), (std::vector<float>{0.5F, 0.25F, 0.125F, 0.0625F, 0.03125F, 0.015625F,
                                                 0.0078125F, 0.00390625F}));
}

TEST(AlibiSlopesTest, TakeEveryOtherSlopeOfTheNextPowerForTheRest) {
  const std::vector<float> slopes = alibi_slopes(12);
  ASSERT_EQ(slopes.size(), 12U);
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(slopes[i], alibi_slopes(8)[i]);
  for (size_t i = 8; i < 12; ++i) EXPECT_EQ(slopes[i], alibi_slopes(16)[2 * (i - 8)]);
}

TEST(T5BucketTest, HasOneBucketForEachShortDistance) {
  EXPECT_EQ(t5_bucket(0, 32, 128), 0U);
  for (int64_t d = 1; d < 8; ++d) {
    EXPECT_EQ(t5_bucket(-d, 32, 128), d);
    EXPECT_EQ(t5_bucket(d, 32, 128), d + 16);
  }
}

// With 32 buckets and 128 positions a bucket begins at 8 · 2^(k / 2).
TEST(T5BucketTest, GrowsByAConstantFactor) {
  for (uint32_t k = 1; k < 8; ++k) {
    const auto first = static_cast<int64_t>(std::ceil(8 * std::exp2(k / 2.0)));
    EXPECT_EQ(t5_bucket(-first, 32, 128), 8 + k) << first;
    EXPECT_EQ(t5_bucket(1 - first, 32, 128), 7 + k) << first;
  }
}

TEST(T5BucketTest, EndsAtTheLastBucketOfEachSide) {
  for (const int64_t d : {128, 129, 8192, 1 << 30}) {
    EXPECT_EQ(t5_bucket(-d, 32, 128), 15U);
    EXPECT_EQ(t5_bucket(d, 32, 128), 31U);
  }
}

TEST(DebertaPlaceTest, IsTheDistanceWithoutBuckets) {
  EXPECT_EQ(deberta_place(0, 0, 12), 12U);
  EXPECT_EQ(deberta_place(-5, 0, 12), 17U);
  EXPECT_EQ(deberta_place(5, 0, 12), 7U);
  EXPECT_EQ(deberta_place(-100, 0, 12), 23U);
  EXPECT_EQ(deberta_place(100, 0, 12), 0U);
}

TEST(DebertaPlaceTest, SharesPlacesOfFarDistances) {
  for (int64_t d = -128; d <= 128; ++d) EXPECT_EQ(deberta_place(d, 256, 512), 256 - d);
  // 128 + ceil(127 ln(d / 128) / ln(511 / 128)): 129 → 1, 200 → 41, 511 → 127.
  EXPECT_EQ(deberta_place(-129, 256, 512), 256U + 129U);
  EXPECT_EQ(deberta_place(-200, 256, 512), 256U + 169U);
  EXPECT_EQ(deberta_place(200, 256, 512), 256U - 169U);
  EXPECT_EQ(deberta_place(-511, 256, 512), 511U);
  EXPECT_EQ(deberta_place(511, 256, 512), 1U);
}

TEST(DebertaPlaceTest, StaysWithinTheEmbeddings) {
  for (const int64_t d : {int64_t{512}, int64_t{8192}, int64_t{1} << 40}) {
    EXPECT_EQ(deberta_place(-d, 256, 512), 511U);
    EXPECT_EQ(deberta_place(d, 256, 512), 0U);
  }
}

}  // namespace
}  // namespace ambry::kernels
