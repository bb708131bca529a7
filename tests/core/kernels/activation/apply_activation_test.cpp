#include "kernels/activation/apply_activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/attention/soft_cap.h"
#include "kernels/special_values.h"
#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

double silu_in_double(double x) { return x / (1 + std::exp(-x)); }

template <class V>
class ApplyActivationTest : public ::testing::Test {};
TYPED_TEST_SUITE(ApplyActivationTest, TypedIsas, IsaNames);

TYPED_TEST(ApplyActivationTest, TakesRowsOfAnyLength) {
  TestRandom random(41);
  for (size_t n = 0; n <= 3 * TypeParam::kLanes + 1; ++n) {
    const std::vector<float> in = random.floats(n, 8.0F);
    std::vector<float> out = in;
    apply_activation<TypeParam, Silu>(out);
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR(out[i], silu_in_double(double{in[i]}), 2e-6);
  }
}

TYPED_TEST(ApplyActivationTest, MultipliesByTheActivatedGate) {
  TestRandom random(42);
  for (size_t n = 0; n <= 3 * TypeParam::kLanes + 1; ++n) {
    const std::vector<float> gate = random.floats(n, 8.0F);
    const std::vector<float> up = random.floats(n);
    std::vector<float> out = gate;
    apply_gated_activation<TypeParam, Silu>(out, up, out.data());
    for (size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(out[i], silu_in_double(double{gate[i]}) * double{up[i]}, 2e-6);
    }
  }
}

TYPED_TEST(ApplyActivationTest, SoftCaps) {
  for (const float cap : {30.0F, 50.0F, 1.0F}) {
    std::vector<float> in = {0.0F, 1e-3F, -1e-3F, 1e30F, -1e30F, kInfinity, -kInfinity};
    for (int i = -2000; i <= 2000; i += 13) in.push_back(static_cast<float>(i) / 10.0F);
    std::vector<float> out = in;
    soft_cap<TypeParam>(out, cap);
    for (size_t i = 0; i < in.size(); ++i) {
      EXPECT_NEAR(out[i], double{cap} * std::tanh(double{in[i]} / double{cap}), 2e-7 * double{cap});
    }
  }
  std::vector<float> bad = {kNan};
  soft_cap<TypeParam>(bad, 30.0F);
  EXPECT_TRUE(std::isnan(bad[0]));
}

}  // namespace
}  // namespace ambry::kernels
