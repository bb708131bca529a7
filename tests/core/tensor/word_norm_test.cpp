#include "tensor/word_norm.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ambry::tensor {
namespace {

TEST(WordNorm, SumsInTheReferencesOrder) {
  // 1 is lost beside 2^24 unless it meets its like first: p0 + p4 before anything else.
  constexpr float kBig = 16777216.0F;
  std::vector<float> a(8, 0.0F);
  const std::vector<float> ones(8, 1.0F);
  a[0] = 1.0F;
  a[4] = 1.0F;
  a[1] = kBig;
  EXPECT_EQ(word_dot(a, ones), kBig + 2.0F);
  a[4] = 0.0F;
  a[2] = 1.0F;
  EXPECT_EQ(word_dot(a, ones), kBig);
}

TEST(WordNorm, AddsTheRestFromLeftToRight) {
  constexpr float kBig = 16777216.0F;
  const std::vector<float> a = {0, 0, 0, 0, 0, 0, 0, kBig, 1.0F, 1.0F};
  EXPECT_EQ(word_dot(a, std::vector<float>(10, 1.0F)), kBig);
  const std::vector<float> short_one = {1.0F, 1.0F, kBig};
  EXPECT_EQ(word_dot(short_one, std::vector<float>(3, 1.0F)), kBig + 2.0F);
  EXPECT_EQ(word_dot({}, {}), 0.0F);
}

TEST(WordNorm, NormalizesAndReturnsTheLength) {
  std::vector<float> vector = {3.0F, 0.0F, -4.0F};
  EXPECT_EQ(normalize_word(vector), 5.0F);
  EXPECT_EQ(vector, (std::vector<float>{0.6F, 0.0F, -0.8F}));
}

TEST(WordNorm, DoesNotChangeAVectorOfZeros) {
  std::vector<float> vector(9, 0.0F);
  EXPECT_EQ(normalize_word(vector), 0.0F);
  EXPECT_EQ(vector, std::vector<float>(9, 0.0F));
}

TEST(WordNorm, ReturnsInfinityIfTheLengthOverflows) {
  std::vector<float> vector = {1e30F, 1e30F};
  EXPECT_EQ(normalize_word(vector), std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace ambry::tensor
