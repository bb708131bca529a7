#include "kernels/activation/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/apply_kernel.h"
#include "kernels/special_values.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

double gelu_erf(double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }

double gelu_tanh(double x) {
  const double u = std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(u));
}

double silu(double x) { return x / (1 + std::exp(-x)); }

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

template <class V>
class ActivationTest : public ::testing::Test {
 protected:
  template <class Activation>
  static std::vector<float> of(const std::vector<float>& in) {
    return apply<V>(in, [](auto x) { return Activation::template apply<V>(x); });
  }

  // The largest error, relative where |x| > 1 and absolute below.
  template <class Activation>
  static double worst_error(double (*oracle)(double)) {
    std::vector<float> in = {0.0F, 1e-40F, -1e-40F, 1e-20F, -1e-20F, 30.0F, -30.0F, 1e30F, -1e30F};
    for (int i = -120000; i <= 120000; i += 7) in.push_back(static_cast<float>(i) / 10000.0F);
    const std::vector<float> out = of<Activation>(in);
    double worst = 0;
    for (size_t i = 0; i < in.size(); ++i) {
      const double error = std::abs(double{out[i]} - oracle(double{in[i]}));
      worst = std::max(worst, error / std::max(1.0, std::abs(double{in[i]})));
    }
    return worst;
  }
};
TYPED_TEST_SUITE(ActivationTest, TypedIsas, IsaNames);

TYPED_TEST(ActivationTest, GeluErfIsAccurate) {
  EXPECT_LE(this->template worst_error<GeluErf>(gelu_erf), 2e-7);
}

TYPED_TEST(ActivationTest, GeluTanhIsAccurate) {
  EXPECT_LE(this->template worst_error<GeluTanh>(gelu_tanh), 2e-7);
}

TYPED_TEST(ActivationTest, ReluSquaredIsExact) {
  const std::vector<float> in = {-2.0F, -0.5F, 0.0F, 0.5F, 3.0F, 1.25F, -1e30F};
  const std::vector<float> squares = {0.0F, 0.0F, 0.0F, 0.25F, 9.0F, 1.5625F, 0.0F};
  EXPECT_EQ(this->template of<ReluSquared>(in), squares);
}

// Between 0 and eps, which is below 0, the exponential is that of eps.
TYPED_TEST(ActivationTest, XieluIsAccurate) {
  const auto oracle = [](double x, double positive, double negative, double beta, double eps) {
    if (x > 0) return positive * x * x + beta * x;
    return (std::expm1(std::min(x, eps)) - x) * negative + beta * x;
  };
  for (const float eps : {-1e-6F, -0.5F}) {
    std::vector<float> in;
    for (int i = -12000; i <= 12000; i += 7) in.push_back(static_cast<float>(i) / 1000.0F);
    const std::vector<float> out =
        apply<TypeParam>(in, [&](auto x) { return xielu<TypeParam>(x, 0.8F, 1.25F, 0.5F, eps); });
    for (size_t i = 0; i < in.size(); ++i) {
      const double expected =
          oracle(double{in[i]}, double{0.8F}, 1.25, 0.5, static_cast<double>(eps));
      EXPECT_NEAR(double{out[i]}, expected, 4e-7 * std::max(1.0, std::abs(expected))) << in[i];
    }
  }
}

TYPED_TEST(ActivationTest, SiluIsAccurate) {
  EXPECT_LE(this->template worst_error<Silu>(silu), 2e-7);
}

TYPED_TEST(ActivationTest, SigmoidIsAccurate) {
  EXPECT_LE(this->template worst_error<Sigmoid>(sigmoid), 2e-7);
  const std::vector<float> ends = this->template of<Sigmoid>({-kInfinity, 0.0F, kInfinity, kNan});
  EXPECT_EQ(ends[0], 0.0F);
  EXPECT_EQ(ends[1], 0.5F);
  EXPECT_EQ(ends[2], 1.0F);
  EXPECT_TRUE(std::isnan(ends[3]));
}

TYPED_TEST(ActivationTest, ReluCutsNegatives) {
  const std::vector<float> out = this->template of<Relu>({-2.0F, -0.0F, 1e-40F, 3.0F, kNan});
  EXPECT_EQ(out[0], 0.0F);
  EXPECT_EQ(out[1], 0.0F);
  EXPECT_EQ(out[2], 1e-40F);
  EXPECT_EQ(out[3], 3.0F);
  EXPECT_TRUE(std::isnan(out[4]));
}

TYPED_TEST(ActivationTest, InfinityAndNanPass) {
  for (const auto& out : {this->template of<GeluErf>({kInfinity, kNan}),
                          this->template of<GeluTanh>({kInfinity, kNan}),
                          this->template of<Silu>({kInfinity, kNan})}) {
    EXPECT_EQ(out[0], kInfinity);
    EXPECT_TRUE(std::isnan(out[1]));
  }
  EXPECT_NEAR(this->template of<GeluErf>({-kInfinity})[0], 0.0F, 1e-7);
}

}  // namespace
}  // namespace ambry::kernels
