#include "kernels/attention/distance_bias.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/attention/attention_input.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

using testing::AttentionInput;

template <class V>
class DistanceBiasTest : public ::testing::Test {};
TYPED_TEST_SUITE(DistanceBiasTest, TypedIsas, IsaNames);

// The table is made for `longest` tokens and has no numbers beyond them.
template <class V>
void expect_definition(const AttentionShape& shape, size_t longest, TestRandom& random) {
  const AttentionInput input(shape, random);
  const size_t row = 2 * longest - 1;
  const std::vector<float> table = random.floats(shape.n_heads * row, 3.0F);
  const std::vector<float> out = input.run<V>(DistanceBias{table.data(), row, longest - 1});
  const std::vector<double> expected = input.expected([&](size_t head, size_t i, size_t j) {
    return input.scale() * input.product(head, i, j) +
           double{table[head * row + longest - 1 + j - i]};
  });
  for (size_t i = 0; i < out.size(); ++i) {
    EXPECT_NEAR(out[i], expected[i], 4e-6) << shape.n_tokens << " tokens, reach " << shape.reach
                                           << ", table for " << longest << ", at " << i;
  }
}

TYPED_TEST(DistanceBiasTest, EqualsTheDefinition) {
  TestRandom random(20);
  for (const size_t n : {1U, 2U, 9U, 30U, 31U, 67U}) {
    expect_definition<TypeParam>({n, 3, 7}, n, random);
  }
}

TYPED_TEST(DistanceBiasTest, TakesATableForLongerTexts) {
  TestRandom random(21);
  expect_definition<TypeParam>({5, 2, 8}, 40, random);
  expect_definition<TypeParam>({33, 2, 8}, 34, random);
}

TYPED_TEST(DistanceBiasTest, TakesAReachAndAScale) {
  TestRandom random(22);
  expect_definition<TypeParam>({77, 2, 8, 9, 1.0F}, 77, random);
}

}  // namespace
}  // namespace ambry::kernels
