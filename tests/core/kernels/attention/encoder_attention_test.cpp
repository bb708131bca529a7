#include "kernels/attention/encoder_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

// Query, key and value of all tokens side by side, as in the encoder.
struct Input {
  AttentionShape shape;
  size_t width;
  std::vector<float> qkv;

  Input(const AttentionShape& s, TestRandom& random)
      : shape(s), width(s.n_heads * s.head_dim), qkv(random.floats(s.n_tokens * 3 * width, 2.0F)) {}

  [[nodiscard]] double at(size_t token, size_t part, size_t column) const {
    return double{qkv[(token * 3 + part) * width + column]};
  }
  // Element `column` of the result for `token`, by the definition.
  [[nodiscard]] double oracle(size_t token, size_t column) const {
    const size_t first = column / shape.head_dim * shape.head_dim;
    double sum = 0;
    double result = 0;
    for (size_t other = 0; other < shape.n_tokens; ++other) {
      double score = 0;
      for (size_t i = first; i < first + shape.head_dim; ++i) {
        score += at(token, 0, i) * at(other, 1, i);
      }
      const double e = std::exp(score / std::sqrt(static_cast<double>(shape.head_dim)));
      sum += e;
      result += e * at(other, 2, column);
    }
    return result / sum;
  }
};

template <class V>
std::vector<float> run(const Input& input) {
  std::vector<float> out(input.shape.n_tokens * input.width);
  std::vector<float> scratch(encoder_attention_scratch(input.shape));
  const float* query = input.qkv.data();
  encoder_attention<V>(input.shape, query, query + input.width, query + 2 * input.width,
                       3 * input.width, out.data(), input.width, scratch);
  return out;
}

template <class V>
class EncoderAttentionTest : public ::testing::Test {};
TYPED_TEST_SUITE(EncoderAttentionTest, TypedIsas, IsaNames);

TYPED_TEST(EncoderAttentionTest, EqualsTheDefinition) {
  TestRandom random(10);
  for (const AttentionShape& shape : std::vector<AttentionShape>{
           {1, 1, 1}, {2, 3, 7}, {9, 2, 24}, {13, 3, 26}, {31, 2, 32}, {67, 1, 5}, {8, 2, 64}}) {
    const Input input(shape, random);
    const std::vector<float> out = run<TypeParam>(input);
    for (size_t i = 0; i < out.size(); ++i) {
      EXPECT_NEAR(out[i], input.oracle(i / input.width, i % input.width), 3e-6)
          << shape.n_tokens << " tokens, " << shape.head_dim << " a head, at " << i;
    }
  }
}

TYPED_TEST(EncoderAttentionTest, TakesAnEmptySequence) {
  encoder_attention<TypeParam>({0, 2, 4}, nullptr, nullptr, nullptr, 24, nullptr, 8, {});
}

TYPED_TEST(EncoderAttentionTest, LargeScoresDoNotOverflow) {
  TestRandom random(12);
  Input input({5, 1, 8}, random);
  for (float& x : input.qkv) x *= 1e4F;
  for (const float x : run<TypeParam>(input)) EXPECT_TRUE(std::isfinite(x));
}

TEST(EncoderAttentionScratchTest, GrowsWithTheLengthNotItsSquare) {
  const size_t one = encoder_attention_scratch({1000, 12, 32});
  const size_t two = encoder_attention_scratch({2000, 12, 32});
  EXPECT_LE(two, 2 * one);
}

}  // namespace
}  // namespace ambry::kernels
