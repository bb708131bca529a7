#include "kernels/recurrent/gated_delta.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/special_values.h"
#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

constexpr size_t kDeltaTokens = 12;

// The rule as it is written, in doubles.
class Definition {
 public:
  Definition(size_t keys, size_t width) : width_(width), state_(keys * width) {}

  std::vector<double> step(const GatedDeltaToken& token) {
    std::vector<double> out(width_);
    const size_t keys = token.key.size();
    for (double& x : state_) x *= double{token.decay};
    for (size_t j = 0; j < width_; ++j) {
      double held = 0;
      for (size_t i = 0; i < keys; ++i) held += state_[i * width_ + j] * double{token.key[i]};
      const double correction = (double{token.value[j]} - held) * double{token.beta};
      for (size_t i = 0; i < keys; ++i) {
        state_[i * width_ + j] += double{token.key[i]} * correction;
        out[j] += state_[i * width_ + j] * double{token.query[i]};
      }
    }
    return out;
  }

 private:
  size_t width_;
  std::vector<double> state_;
};

struct Text {
  std::vector<float> queries;
  std::vector<float> keys;
  std::vector<float> values;
  std::vector<float> decays;
  std::vector<float> betas;
  size_t key_width;
  size_t width;

  Text(size_t key_width, size_t width) : key_width(key_width), width(width) {
    TestRandom random(key_width * 100 + width);
    queries = random.floats(kDeltaTokens * key_width);
    keys = random.floats(kDeltaTokens * key_width);
    values = random.floats(kDeltaTokens * width);
    decays = random.floats(kDeltaTokens);
    betas = random.floats(kDeltaTokens);
    for (float& x : decays) x = std::abs(x);
    for (float& x : betas) x = std::abs(x);
    for (size_t t = 0; t < kDeltaTokens; ++t) {
      scale_to_length<simd::Scalar>({&keys[t * key_width], key_width}, 1e-6F, 1);
    }
  }

  [[nodiscard]] GatedDeltaToken token(size_t t) const {
    return {{&queries[t * key_width], key_width},
            {&keys[t * key_width], key_width},
            &values[t * width],
            decays[t],
            betas[t]};
  }
};

template <class V>
class GatedDeltaTest : public ::testing::Test {};
TYPED_TEST_SUITE(GatedDeltaTest, TypedIsas, IsaNames);

TYPED_TEST(GatedDeltaTest, EqualsTheDefinition) {
  for (const size_t key_width : {1U, 3U, 8U, 20U}) {
    for (const size_t width : {1U, 5U, 16U, 21U, 32U}) {
      const Text text(key_width, width);
      Definition definition(key_width, width);
      std::vector<float> state(key_width * width);
      std::vector<float> out(width);
      for (size_t t = 0; t < kDeltaTokens; ++t) {
        gated_delta_step<TypeParam>(text.token(t), width, state.data(), out.data());
        const std::vector<double> expected = definition.step(text.token(t));
        for (size_t j = 0; j < width; ++j) {
          EXPECT_NEAR(out[j], expected[j], 2e-6 * (1 + std::abs(expected[j])))
              << key_width << " " << width << " " << t << " " << j;
        }
      }
    }
  }
}

TYPED_TEST(GatedDeltaTest, LanesGiveTheBitsOfScalarCode) {
  const Text text(12, 37);
  std::vector<float> state(text.key_width * text.width);
  std::vector<float> scalar_state = state;
  for (size_t t = 0; t < kDeltaTokens; ++t) {
    std::vector<float> out(text.width);
    std::vector<float> scalar(text.width);
    gated_delta_step<TypeParam>(text.token(t), text.width, state.data(), out.data());
    gated_delta_step<simd::Scalar>(text.token(t), text.width, scalar_state.data(), scalar.data());
    EXPECT_EQ(out, scalar);
  }
  EXPECT_EQ(state, scalar_state);
}

TYPED_TEST(GatedDeltaTest, ScalesARowToALength) {
  TestRandom random(4);
  for (const size_t n : {1U, 4U, 7U, 64U}) {
    const std::vector<float> row = random.floats(n);
    std::vector<float> scaled = row;
    scale_to_length<TypeParam>(scaled, 0.01F, 3.0F);
    double squares = 0.01;
    for (const float x : row) squares += double{x} * double{x};
    for (size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(scaled[i], 3 * double{row[i]} / std::sqrt(squares), 1e-6);
    }
  }
  std::vector<float> zeros(6);
  scale_to_length<TypeParam>(zeros, 1e-6F, 1.0F);
  EXPECT_EQ(zeros, std::vector<float>(6));
}

TYPED_TEST(GatedDeltaTest, NanReachesTheOutput) {
  Text text(4, 16);
  text.values[3] = kNan;
  std::vector<float> state(text.key_width * text.width);
  std::vector<float> out(text.width);
  gated_delta_step<TypeParam>(text.token(0), text.width, state.data(), out.data());
  EXPECT_TRUE(std::isnan(out[3]));
  EXPECT_FALSE(std::isnan(out[4]));
}

}  // namespace
}  // namespace ambry::kernels
