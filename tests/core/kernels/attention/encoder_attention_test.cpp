#include "kernels/attention/encoder_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/attention/attention_input.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

using testing::AttentionInput;

template <class V>
class EncoderAttentionTest : public ::testing::Test {};
TYPED_TEST_SUITE(EncoderAttentionTest, TypedIsas, IsaNames);

template <class V>
void expect_definition(const AttentionShape& shape, TestRandom& random) {
  const AttentionInput input(shape, random);
  const std::vector<float> out = input.run<V>();
  const std::vector<double> expected = input.expected(
      [&](size_t head, size_t i, size_t j) { return input.scale() * input.product(head, i, j); });
  for (size_t i = 0; i < out.size(); ++i) {
    EXPECT_NEAR(out[i], expected[i], 3e-6) << shape.n_tokens << " tokens, " << shape.head_dim
                                           << " a head, reach " << shape.reach << ", at " << i;
  }
}

TYPED_TEST(EncoderAttentionTest, EqualsTheDefinition) {
  TestRandom random(10);
  for (const AttentionShape& shape : std::vector<AttentionShape>{
           {1, 1, 1}, {2, 3, 7}, {9, 2, 24}, {13, 3, 26}, {31, 2, 32}, {67, 1, 5}, {8, 2, 64}}) {
    expect_definition<TypeParam>(shape, random);
  }
}

TYPED_TEST(EncoderAttentionTest, SeesNothingBeyondItsReach) {
  TestRandom random(13);
  for (const size_t reach : {0U, 1U, 4U, 16U, 35U, 64U, 1000U}) {
    for (const size_t n : {1U, 2U, 29U, 30U, 31U, 61U, 133U}) {
      expect_definition<TypeParam>({n, 2, 6, reach}, random);
    }
  }
}

TYPED_TEST(EncoderAttentionTest, ACausalTokenSeesNothingAfterIt) {
  TestRandom random(15);
  for (const size_t n : {1U, 2U, 29U, 30U, 31U, 61U, 77U}) {
    for (const size_t reach : {size_t{3}, kWholeText}) {
      AttentionShape shape{n, 2, 6, reach};
      shape.causal = true;
      expect_definition<TypeParam>(shape, random);
    }
  }
}

TYPED_TEST(EncoderAttentionTest, TakesAnotherScale) {
  TestRandom random(14);
  expect_definition<TypeParam>({23, 2, 5, kWholeText, 0.25F}, random);
}

TYPED_TEST(EncoderAttentionTest, TakesAnEmptySequence) {
  encoder_attention<TypeParam>({0, 2, 4}, nullptr, nullptr, nullptr, 24, nullptr, 8, {});
}

TYPED_TEST(EncoderAttentionTest, LargeScoresDoNotOverflow) {
  TestRandom random(12);
  AttentionInput input({5, 1, 8}, random);
  for (float& x : input.qkv) x *= 1e4F;
  for (const float x : input.run<TypeParam>()) EXPECT_TRUE(std::isfinite(x));
}

TEST(EncoderAttentionScratchTest, GrowsWithTheLengthNotItsSquare) {
  const size_t one = encoder_attention_scratch({1000, 12, 32});
  const size_t two = encoder_attention_scratch({2000, 12, 32});
  EXPECT_LE(two, 2 * one);
}

TEST(EncoderAttentionScratchTest, HoldsNoScoresBeyondTheReach) {
  const size_t all = encoder_attention_scratch({8192, 1, 64});
  const size_t near = encoder_attention_scratch({8192, 1, 64, 64});
  EXPECT_LT(near, all - kQueryRows * 7900);
}

}  // namespace
}  // namespace ambry::kernels
