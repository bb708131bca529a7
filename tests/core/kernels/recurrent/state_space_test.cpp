#include "kernels/recurrent/state_space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/special_values.h"
#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

constexpr size_t kSpaceTokens = 9;
constexpr float kSkip = 0.75F;

// The tokens of one head.
struct HeadInput {
  StateSpaceShape shape;
  std::vector<float> x;  // [tokens][head_dim]
  std::vector<float> b;  // [tokens][n_state]
  std::vector<float> c;
  std::vector<float> steps;

  HeadInput(size_t head_dim, size_t n_state)
      : shape{.heads = 1, .head_dim = head_dim, .n_state = n_state} {
    TestRandom random(head_dim * 31 + n_state);
    x = random.floats(kSpaceTokens * head_dim);
    b = random.floats(kSpaceTokens * n_state);
    c = random.floats(kSpaceTokens * n_state);
    for (const float step : random.floats(kSpaceTokens)) steps.push_back(std::fabs(step));
  }

  [[nodiscard]] StateSpaceToken token(size_t t) const {
    return {&x[t * shape.head_dim], &b[t * shape.n_state],
            &c[t * shape.n_state],  steps[t],
            std::exp(-steps[t]),    kSkip};
  }

  // y_t[i] = Σ_s Π_{s < r <= t} decay_r · Δ_s x_s[i] (B_s · C_t) + d x_t[i], without a state.
  [[nodiscard]] double expected(size_t t, size_t i) const {
    double sum = double{kSkip} * double{x[t * shape.head_dim + i]};
    double decay = 1;
    for (size_t s = t + 1; s-- > 0;) {
      double product = 0;
      for (size_t j = 0; j < shape.n_state; ++j) {
        product += double{b[s * shape.n_state + j]} * double{c[t * shape.n_state + j]};
      }
      sum += decay * double{steps[s]} * double{x[s * shape.head_dim + i]} * product;
      decay *= std::exp(-double{steps[s]});
    }
    return sum;
  }
};

template <class V>
class StateSpaceTest : public ::testing::Test {};
TYPED_TEST_SUITE(StateSpaceTest, TypedIsas, IsaNames);

TYPED_TEST(StateSpaceTest, EqualsAttentionWithDecay) {
  for (const size_t head_dim : {1U, 5U, 8U}) {
    for (const size_t n_state : {1U, 3U, 8U, 13U, 64U}) {
      const HeadInput of(head_dim, n_state);
      std::vector<float> state(of.shape.state_floats());
      std::vector<float> y(head_dim);
      for (size_t t = 0; t < kSpaceTokens; ++t) {
        advance_state_space<TypeParam>(of.shape, of.token(t), state.data(), y.data());
        for (size_t i = 0; i < head_dim; ++i) {
          EXPECT_NEAR(y[i], of.expected(t, i), 2e-5) << head_dim << " " << n_state << " " << t;
        }
      }
    }
  }
}

TYPED_TEST(StateSpaceTest, OfAStateWithoutDecayNothingIsLost) {
  const StateSpaceShape shape{.heads = 1, .head_dim = 1, .n_state = 5};
  const std::vector<float> ones(5, 1.0F);
  const float x = 2.0F;
  std::vector<float> state(5);
  float y = 0;
  for (int i = 1; i <= 3; ++i) {
    advance_state_space<TypeParam>(shape, {&x, ones.data(), ones.data(), 0.5F, 1.0F, 0.0F},
                                   state.data(), &y);
    EXPECT_EQ(y, 5.0F * static_cast<float>(i));
  }
}

TYPED_TEST(StateSpaceTest, NanReachesTheOutput) {
  HeadInput of(2, 7);
  of.b[6] = kNan;
  std::vector<float> state(of.shape.state_floats());
  std::vector<float> y(2);
  advance_state_space<TypeParam>(of.shape, of.token(0), state.data(), y.data());
  for (const float value : y) EXPECT_TRUE(std::isnan(value));
}

TEST(StateSpaceShape, AdjacentHeadsShareAGroup) {
  const StateSpaceShape shape{.heads = 6, .head_dim = 4, .n_state = 3, .groups = 2};
  EXPECT_EQ(shape.group_of(2), 0U);
  EXPECT_EQ(shape.group_of(3), 1U);
  EXPECT_EQ(shape.state_floats(), 72U);
}

}  // namespace
}  // namespace ambry::kernels
