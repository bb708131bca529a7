#include "infer/decoder/attention/sine_cosine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace ambry::infer {
namespace {

// The C library rounds within an ulp; this adds the rounding of a few products.
constexpr double kTolerance = 5e-16;

TEST(SineCosine, AgreesWithTheLibraryAtEveryPosition) {
  for (const double frequency : {1.0, 0.749894209332456, 0.31622776601683794, 0.01, 1e-6}) {
    for (double position = 0; position < (1 << 24); position = 1.1 * std::floor(position) + 1) {
      const double angle = std::floor(position) * frequency;
      const SineCosine of = sine_cosine(angle);
      ASSERT_NEAR(of.sine, std::sin(angle), kTolerance) << angle;
      ASSERT_NEAR(of.cosine, std::cos(angle), kTolerance) << angle;
    }
  }
}

TEST(SineCosine, AgreesWithTheLibraryAllAroundTheCircle) {
  for (int i = -4000; i < 4000; ++i) {
    const double angle = i * std::numbers::pi / 500;
    const SineCosine of = sine_cosine(angle);
    ASSERT_NEAR(of.sine, std::sin(angle), kTolerance) << angle;
    ASSERT_NEAR(of.cosine, std::cos(angle), kTolerance) << angle;
  }
}

TEST(SineCosine, StaysOnTheCircleFarOut) {
  for (const double angle : {1e8, 1e10, 1e12, 1e15, 1e18, 1e300}) {
    const SineCosine of = sine_cosine(angle);
    EXPECT_NEAR(of.sine * of.sine + of.cosine * of.cosine, 1, 1e-9) << angle;
    if (angle > 1e10) continue;
    EXPECT_NEAR(of.sine, std::sin(angle), angle * 0x1p-51) << angle;
  }
}

TEST(SineCosine, GivesNoNumberForNone) {
  for (const double angle :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sine_cosine(angle).sine));
    EXPECT_TRUE(std::isnan(sine_cosine(angle).cosine));
  }
}

}  // namespace
}  // namespace ambry::infer
