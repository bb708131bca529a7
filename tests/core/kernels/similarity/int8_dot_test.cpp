#include "kernels/similarity/int8_dot.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class Int8RowsTest : public ::testing::Test {};
TYPED_TEST_SUITE(Int8RowsTest, TypedIsas, IsaNames);

std::vector<int8_t> bytes_of_any_value(TestRandom& random, size_t n) {
  std::vector<int8_t> bytes(n);
  for (int8_t& byte : bytes) byte = static_cast<int8_t>(random.bits() & 0xFFU);
  return bytes;
}

TYPED_TEST(Int8RowsTest, DotIsExactForIntegers) {
  TestRandom random(31);
  for (size_t n = 0; n <= 9 * TypeParam::kLanes + 1; ++n) {
    const std::vector<int8_t> row = bytes_of_any_value(random, n);
    std::vector<int16_t> codes(n);
    int64_t exact = 0;
    for (size_t i = 0; i < n; ++i) {
      codes[i] = static_cast<int16_t>(random.next() * 32767.0F);
      exact += int64_t{codes[i]} * row[i];
    }
    EXPECT_EQ(dot_int8<TypeParam>(codes, row.data()), exact) << n;
  }
}

TYPED_TEST(Int8RowsTest, DotHandlesTheLargestProducts) {
  const std::vector<int16_t> codes(500, INT16_MAX);
  const std::vector<int8_t> row(500, INT8_MIN);
  EXPECT_EQ(dot_int8<TypeParam>(codes, row.data()), -500 * 128 * INT16_MAX);
}

TYPED_TEST(Int8RowsTest, DotEqualsTheDefinitionForFloats) {
  TestRandom random(32);
  for (size_t n = 0; n <= 9 * TypeParam::kLanes + 1; ++n) {
    const std::vector<int8_t> row = bytes_of_any_value(random, n);
    const std::vector<float> query = random.floats(n);
    double exact = 0;
    for (size_t i = 0; i < n; ++i) exact += double{query[i]} * row[i];
    EXPECT_NEAR(dot_int8<TypeParam>(query, row.data()), exact, 2e-4) << n;
  }
}

TYPED_TEST(Int8RowsTest, Dequantizes) {
  TestRandom random(33);
  for (size_t n = 0; n <= 3 * TypeParam::kLanes + 1; ++n) {
    const std::vector<int8_t> row = bytes_of_any_value(random, n);
    std::vector<float> wide(n);
    dequantize_int8<TypeParam>(row.data(), 0.1F, -3.0F, wide);
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(wide[i], (static_cast<float>(row[i]) + 3.0F) * 0.1F);
  }
}

}  // namespace
}  // namespace ambry::kernels
