#include "kernels/scaled_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class ScaledRowsTest : public ::testing::Test {};
TYPED_TEST_SUITE(ScaledRowsTest, TypedIsas, IsaNames);

// Adds `row`, whose values are `wide`, to other values. A fused sum differs by one rounding.
template <class V, class T>
void expect_added(const std::vector<T>& row, const std::vector<float>& wide) {
  TestRandom random(77);
  const float factor = -0.375F;
  const std::vector<float> before = random.floats(row.size());
  std::vector<float> to = before;
  add_scaled_row<V>(row.data(), factor, to);
  for (size_t i = 0; i < row.size(); ++i) {
    const double sum = double{before[i]} + double{factor} * double{wide[i]};
    EXPECT_NEAR(to[i], sum, 1e-6 * (1 + std::abs(wide[i]))) << i;
  }
}

TYPED_TEST(ScaledRowsTest, AddsRowsOfEveryType) {
  TestRandom random(43);
  for (size_t n = 0; n <= 3 * TypeParam::kLanes + 1; ++n) {
    const std::vector<float> values = random.floats(n);
    expect_added<TypeParam>(values, values);
    std::vector<uint16_t> halves;
    std::vector<int8_t> bytes;
    std::vector<float> of_halves;
    std::vector<float> of_bytes;
    for (size_t i = 0; i < n; ++i) {
      halves.push_back(f32_to_f16(values[i]));
      of_halves.push_back(f16_to_f32(halves.back()));
      bytes.push_back(static_cast<int8_t>(static_cast<int>(i * 37 % 256) - 128));
      of_bytes.push_back(bytes.back());
    }
    expect_added<TypeParam>(halves, of_halves);
    expect_added<TypeParam>(bytes, of_bytes);
  }
}

}  // namespace
}  // namespace ambry::kernels
