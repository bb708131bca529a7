#include "kernels/attention/disentangled_bias.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/attention/attention_input.h"
#include "kernels/attention/relative_positions.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

using testing::AttentionInput;

constexpr uint32_t kSpan = 8;
constexpr size_t kPlaces = 2 * size_t{kSpan};
constexpr size_t kLongest = 70;

template <class V>
class DisentangledBiasTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (size_t i = 0; i < 2 * kLongest - 1; ++i) {
      places_.push_back(deberta_place(static_cast<int64_t>(i) - int64_t{kLongest} + 1, kSpan, 32));
    }
  }

  void expect_definition(const AttentionShape& shape, bool with_keys, bool with_queries) {
    const AttentionInput input(shape, random_);
    const size_t stride = 2 * input.width + 3;
    const std::vector<float> relative = random_.floats(kPlaces * stride);
    std::vector<float> scratch(DisentangledBias::scratch_size(shape, kPlaces));
    const uint32_t* at_0 = places_.data() + kLongest - 1;
    const std::vector<float> out = input.run<V>(
        DisentangledBias{.keys = with_keys ? relative.data() : nullptr,
                         .queries = with_queries ? relative.data() + input.width : nullptr,
                         .stride = stride,
                         .n_places = kPlaces,
                         .places = at_0,
                         .scratch = scratch});
    const std::vector<double> expected = input.expected([&](size_t head, size_t i, size_t j) {
      const size_t place = at_0[static_cast<ptrdiff_t>(j) - static_cast<ptrdiff_t>(i)];
      double score = input.product(head, i, j);
      for (size_t c = head * shape.head_dim; c < (head + 1) * shape.head_dim; ++c) {
        const float* of_place = &relative[place * stride];
        if (with_keys) score += input.at(i, 0, c) * double{of_place[c]};
        if (with_queries) score += input.at(j, 1, c) * double{of_place[input.width + c]};
      }
      return score * input.scale();
    });
    for (size_t i = 0; i < out.size(); ++i) {
      EXPECT_NEAR(out[i], expected[i], 4e-6) << shape.n_tokens << " tokens, at " << i;
    }
  }

  TestRandom random_{30};
  std::vector<uint32_t> places_;
};
TYPED_TEST_SUITE(DisentangledBiasTest, TypedIsas, IsaNames);

TYPED_TEST(DisentangledBiasTest, EqualsTheDefinition) {
  for (const size_t n : {1U, 2U, 9U, 30U, 31U, 70U}) {
    this->expect_definition({n, 3, 7}, true, true);
  }
}

TYPED_TEST(DisentangledBiasTest, HasEitherPartAlone) {
  this->expect_definition({37, 2, 8, kWholeText, 0.2F}, true, false);
  this->expect_definition({37, 2, 8, kWholeText, 0.2F}, false, true);
  this->expect_definition({37, 2, 8}, false, false);
}

TEST(DisentangledBiasScratchTest, GrowsWithTheLengthNotItsSquare) {
  const uint64_t one = DisentangledBias::scratch_size({1000, 12, 32}, 512);
  const uint64_t two = DisentangledBias::scratch_size({2000, 12, 32}, 512);
  EXPECT_LE(two, 2 * one);
}

}  // namespace
}  // namespace ambry::kernels
