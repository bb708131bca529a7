#include "infer/encoder/head/pooling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ambry::infer {
namespace {

const std::vector<float> kRows = {1, -2, 3, 4, -5, 0};  // three tokens of two dimensions

std::vector<float> pooled(Pooling pooling, size_t n_prompt = 0,
                          const std::vector<float>& rows = kRows) {
  std::vector<float> out(2);
  pool(pooling, rows, n_prompt, out);
  return out;
}

TEST(PoolingTest, KnowsSentenceTransformersNames) {
  EXPECT_EQ(pooling_by_name("mean"), Pooling::Mean);
  EXPECT_EQ(pooling_by_name("cls"), Pooling::Cls);
  EXPECT_EQ(pooling_by_name("max"), Pooling::Max);
  EXPECT_EQ(pooling_by_name("mean_sqrt_len"), Pooling::MeanSqrtLen);
  EXPECT_EQ(pooling_by_name("lasttoken"), Pooling::LastToken);
  EXPECT_EQ(pooling_by_name("none"), Pooling::None);
  EXPECT_FALSE(pooling_by_name("weightedmean"));
}

TEST(PoolingTest, PoolsAllRows) {
  EXPECT_EQ(pooled(Pooling::Mean), (std::vector<float>{-1.0F / 3, 2.0F / 3}));
  EXPECT_EQ(pooled(Pooling::Max), (std::vector<float>{3, 4}));
  EXPECT_EQ(pooled(Pooling::Cls), (std::vector<float>{1, -2}));
  EXPECT_EQ(pooled(Pooling::LastToken), (std::vector<float>{-5, 0}));
  const std::vector<float> sqrt_len = pooled(Pooling::MeanSqrtLen);
  EXPECT_FLOAT_EQ(sqrt_len[0], -1.0F / std::sqrt(3.0F));
  EXPECT_FLOAT_EQ(sqrt_len[1], 2.0F / std::sqrt(3.0F));
}

TEST(PoolingTest, ExcludesThePrompt) {
  EXPECT_EQ(pooled(Pooling::Mean, 1), (std::vector<float>{-1, 2}));
  EXPECT_EQ(pooled(Pooling::Max, 2), (std::vector<float>{-5, 0}));
  EXPECT_EQ(pooled(Pooling::Cls, 2), (std::vector<float>{1, -2}));
  EXPECT_EQ(pooled(Pooling::LastToken, 2), (std::vector<float>{-5, 0}));
}

TEST(PoolingTest, PoolsNoTokensIfTheTextIsThePrompt) {
  for (const size_t n_prompt : {3U, 9U}) {
    EXPECT_EQ(pooled(Pooling::Mean, n_prompt), (std::vector<float>{0, 0}));
    EXPECT_EQ(pooled(Pooling::MeanSqrtLen, n_prompt), (std::vector<float>{0, 0}));
    EXPECT_EQ(pooled(Pooling::LastToken, n_prompt), (std::vector<float>{0, 0}));
    EXPECT_EQ(pooled(Pooling::Max, n_prompt), (std::vector<float>{-1e9F, -1e9F}));
  }
  EXPECT_EQ(pooled(Pooling::Cls, 0, {}), (std::vector<float>{0, 0}));
}

TEST(PoolingTest, NormalizesATruncatedVectorToUnitLength) {
  std::vector<float> vector = {3, 4, 12};
  const std::span<float> cut = std::span<float>(vector).first(2);
  normalize(cut);
  EXPECT_EQ(vector, (std::vector<float>{0.6F, 0.8F, 12}));
}

}  // namespace
}  // namespace ambry::infer
