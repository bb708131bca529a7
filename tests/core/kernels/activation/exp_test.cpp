#include "kernels/activation/exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/apply_kernel.h"
#include "kernels/special_values.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class ExpTest : public ::testing::Test {
 protected:
  static std::vector<float> exp_of(const std::vector<float>& in) {
    return apply<V>(in, [](auto x) { return exp<V>(x); });
  }
};
TYPED_TEST_SUITE(ExpTest, TypedIsas, IsaNames);

TYPED_TEST(ExpTest, IsWithinOneUlp) {
  std::vector<float> in;
  for (int i = -87000; i <= 88700; i += 7) in.push_back(static_cast<float>(i) / 1000.0F);
  const std::vector<float> out = this->exp_of(in);
  double worst = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    const double exact = std::exp(double{in[i]});
    const double ulp = std::exp2(std::floor(std::log2(exact)) - 23);
    worst = std::max(worst, std::abs(double{out[i]} - exact) / ulp);
  }
  EXPECT_LE(worst, 1.01);
}

TYPED_TEST(ExpTest, HandlesTheEnds) {
  const std::vector<float> out = this->exp_of(
      {0.0F, -0.0F, 1e-40F, -88.0F, -1000.0F, -kInfinity, 88.722F, 88.73F, 1000.0F, kInfinity});
  EXPECT_EQ(out[0], 1.0F);
  EXPECT_EQ(out[1], 1.0F);
  EXPECT_EQ(out[2], 1.0F);
  EXPECT_EQ(out[3], 0.0F);
  EXPECT_EQ(out[4], 0.0F);
  EXPECT_EQ(out[5], 0.0F);
  EXPECT_TRUE(std::isfinite(out[6]));
  EXPECT_EQ(out[7], kInfinity);
  EXPECT_EQ(out[8], kInfinity);
  EXPECT_EQ(out[9], kInfinity);
}

TYPED_TEST(ExpTest, KeepsNan) {
  for (const float nan : {std::numeric_limits<float>::quiet_NaN(), -std::nanf("0x3ffff")}) {
    EXPECT_TRUE(std::isnan(this->exp_of({nan})[0]));
  }
}

}  // namespace
}  // namespace ambry::kernels
