#include "kernels/attention/rope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

struct Angles {
  std::vector<float> cosines, sines;

  Angles(size_t n_pairs, double position) {
    for (size_t i = 0; i < n_pairs; ++i) {
      const double angle = position * std::pow(10'000.0, -static_cast<double>(i) / double(n_pairs));
      cosines.push_back(static_cast<float>(std::cos(angle)));
      sines.push_back(static_cast<float>(std::sin(angle)));
    }
  }
};

void expect_rotated(const std::vector<float>& before, const std::vector<float>& after, size_t x,
                    size_t y, const Angles& angles, size_t pair) {
  const double c = angles.cosines[pair];
  const double s = angles.sines[pair];
  EXPECT_NEAR(after[x], double{before[x]} * c - double{before[y]} * s, 3e-7);
  EXPECT_NEAR(after[y], double{before[y]} * c + double{before[x]} * s, 3e-7);
}

template <class V>
class RopeTest : public ::testing::Test {};
TYPED_TEST_SUITE(RopeTest, TypedIsas, IsaNames);

TYPED_TEST(RopeTest, RotatesTheHalvesAndLeavesTheRest) {
  TestRandom random(31);
  for (const size_t n_pairs : {1U, 3U, 4U, 16U, 21U}) {
    const Angles angles(n_pairs, 77.0);
    const std::vector<float> before = random.floats(2 * n_pairs + 5);
    std::vector<float> after = before;
    rotate_halves<TypeParam>(after.data(), angles.cosines.data(), angles.sines.data(), n_pairs);
    for (size_t i = 0; i < n_pairs; ++i) expect_rotated(before, after, i, n_pairs + i, angles, i);
    for (size_t i = 2 * n_pairs; i < after.size(); ++i) EXPECT_EQ(after[i], before[i]);
  }
}

TEST(RopeInterleavedTest, RotatesAdjacentPairsAndLeavesTheRest) {
  TestRandom random(32);
  const Angles angles(5, 3.0);
  const std::vector<float> before = random.floats(13);
  std::vector<float> after = before;
  rotate_interleaved(after.data(), angles.cosines.data(), angles.sines.data(), 5);
  for (size_t i = 0; i < 5; ++i) expect_rotated(before, after, 2 * i, 2 * i + 1, angles, i);
  for (size_t i = 10; i < 13; ++i) EXPECT_EQ(after[i], before[i]);
}

}  // namespace
}  // namespace ambry::kernels
