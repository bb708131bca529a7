#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "simd/all_isas.h"

namespace ambry::simd {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <class V>
class IsaTest : public ::testing::Test {
 protected:
  // `kLanes` numbers, different in every lane.
  static typename V::F32 ramp(float first, float step) {
    std::array<float, V::kLanes> lanes;
    for (size_t i = 0; i < V::kLanes; ++i) lanes[i] = first + step * static_cast<float>(i);
    return V::load(lanes.data());
  }
  static float lane(typename V::F32 v, size_t i) {
    std::array<float, V::kLanes> lanes;
    V::store(lanes.data(), v);
    return lanes[i];
  }
};
TYPED_TEST_SUITE(IsaTest, TypedIsas, IsaNames);

TYPED_TEST(IsaTest, DoesArithmeticLaneByLane) {
  using V = TypeParam;
  const auto a = this->ramp(1.5F, 2.25F);
  const auto b = this->ramp(-3.0F, 0.5F);
  for (size_t i = 0; i < V::kLanes; ++i) {
    const float x = 1.5F + 2.25F * static_cast<float>(i);
    const float y = -3.0F + 0.5F * static_cast<float>(i);
    EXPECT_EQ(this->lane(V::add(a, b), i), x + y);
    EXPECT_EQ(this->lane(V::sub(a, b), i), x - y);
    EXPECT_EQ(this->lane(V::mul(a, b), i), x * y);
    EXPECT_EQ(this->lane(V::div(a, b), i), x / y);
    EXPECT_EQ(this->lane(V::madd(a, b, a), i), x * y + x);
    EXPECT_EQ(this->lane(V::min(a, b), i), std::fmin(x, y));
    EXPECT_EQ(this->lane(V::max(a, b), i), std::fmax(x, y));
    EXPECT_EQ(this->lane(V::select(V::less(b, a), a, b), i), y < x ? x : y);
  }
}

TYPED_TEST(IsaTest, WidensCountsAndFloors) {
  using V = TypeParam;
  const auto a = this->ramp(-1.25F, 0.75F);
  double sum = 0;
  double squares = 0;
  float least = 1e9F;
  uint64_t negative = 0;
  std::array<int32_t, V::kLanes> whole;
  V::store_i32(whole.data(), V::floor(a));
  for (size_t i = 0; i < V::kLanes; ++i) {
    const float x = -1.25F + 0.75F * static_cast<float>(i);
    sum += static_cast<double>(x) - 0.1;
    squares += static_cast<double>(x) * static_cast<double>(x);
    least = std::fmin(least, x);
    negative += x < 0.0F ? 2U : 0U;
    EXPECT_EQ(this->lane(V::abs(a), i), std::fabs(x));
    EXPECT_EQ(whole[i], static_cast<int32_t>(std::floor(x)));
  }
  const auto wide = V::widen(a);
  EXPECT_DOUBLE_EQ(V::reduce_add64(V::sub64(wide, V::splat64(0.1))), sum);
  EXPECT_DOUBLE_EQ(V::reduce_add64(V::mul64(wide, wide)), squares);
  EXPECT_EQ(V::reduce_min(a), least);
  const auto once = V::count(V::no_count(), V::less(a, V::zero()));
  EXPECT_EQ(V::reduce_count(V::count(once, V::less(a, V::zero()))), negative);
}

TYPED_TEST(IsaTest, LoadsAndStoresDoubles) {
  using V = TypeParam;
  std::array<double, V::kLanes> from;
  for (size_t i = 0; i < V::kLanes; ++i) from[i] = 0.1 + static_cast<double>(i);
  std::array<double, V::kLanes> to;
  V::store64(to.data(), V::add64(V::load64(from.data()), V::splat64(0.2)));
  for (size_t i = 0; i < V::kLanes; ++i) EXPECT_EQ(to[i], from[i] + 0.2);
}

TYPED_TEST(IsaTest, MinAndMaxKeepANanInTheFirstOperand) {
  using V = TypeParam;
  EXPECT_TRUE(std::isnan(this->lane(V::max(V::splat(kNan), V::zero()), 0)));
  EXPECT_TRUE(std::isnan(this->lane(V::min(V::splat(kNan), V::zero()), 0)));
  EXPECT_EQ(this->lane(V::max(V::splat(1.0F), V::splat(kNan)), 0), 1.0F);
  const auto equal = V::select(V::equal(V::splat(kNan), V::splat(kNan)), V::splat(1.0F), V::zero());
  EXPECT_EQ(this->lane(equal, 0), 0.0F);
  EXPECT_EQ(this->lane(V::max(V::splat(-kInfinity), V::zero()), 0), 0.0F);
}

TYPED_TEST(IsaTest, PartialLoadsAndStoresTouchOnlyTheirLanes) {
  using V = TypeParam;
  for (size_t n = 0; n < V::kLanes; ++n) {
    // Exactly n numbers, so that a sanitizer sees any read or write past them.
    const std::vector<float> from(n, 7.0F);
    const auto v = V::load_partial(from.data(), n);
    for (size_t i = 0; i < V::kLanes; ++i) EXPECT_EQ(this->lane(v, i), i < n ? 7.0F : 0.0F);
    std::vector<float> to(n, 0.0F);
    V::store_partial(to.data(), n, v);
    EXPECT_EQ(to, from);
  }
}

TYPED_TEST(IsaTest, WidensSignedBytes) {
  using V = TypeParam;
  const std::array<int8_t, 4> bytes = {-128, 127, 0, -1};
  const auto v = V::load_i8(bytes.data());
  for (size_t i = 0; i < V::kLanes; ++i) EXPECT_EQ(this->lane(v, i), static_cast<float>(bytes[i]));
}

TYPED_TEST(IsaTest, AddsToTheExponent) {
  using V = TypeParam;
  for (int n = -120; n <= 120; ++n) {
    const auto biased = V::splat(static_cast<float>(n) + 12582912.0F);
    EXPECT_EQ(this->lane(V::add_exponent(V::splat(-1.25F), biased), 0), std::ldexp(-1.25F, n));
  }
}

TYPED_TEST(IsaTest, ReducesOverAllLanes) {
  using V = TypeParam;
  float sum = 0;
  for (size_t i = 0; i < V::kLanes; ++i) sum += 1.0F + static_cast<float>(i);
  EXPECT_EQ(V::reduce_add(this->ramp(1.0F, 1.0F)), sum);
  EXPECT_EQ(V::reduce_max(this->ramp(1.0F, 1.0F)), static_cast<float>(V::kLanes));
  EXPECT_EQ(V::reduce_max(this->ramp(1.0F, -1.0F)), 1.0F);
}

}  // namespace
}  // namespace ambry::simd
