#include "kernels/similarity/int8_rows.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class ByteRowsTest : public ::testing::Test {};
TYPED_TEST_SUITE(ByteRowsTest, TypedIsas, IsaNames);

std::vector<int8_t> bytes_of_any_value(MadeUpNumbers& numbers, size_t n) {
  std::vector<int8_t> bytes(n);
  for (int8_t& byte : bytes) byte = static_cast<int8_t>(numbers.bits() & 0xFFU);
  return bytes;
}

TYPED_TEST(ByteRowsTest, IsExactForWholeNumbers) {
  MadeUpNumbers numbers(31);
  for (size_t n = 0; n <= 9 * TypeParam::kLanes + 1; ++n) {
    const std::vector<int8_t> row = bytes_of_any_value(numbers, n);
    std::vector<int16_t> codes(n);
    int64_t exact = 0;
    for (size_t i = 0; i < n; ++i) {
      codes[i] = static_cast<int16_t>(numbers.next() * 32767.0F);
      exact += int64_t{codes[i]} * row[i];
    }
    EXPECT_EQ(dot_bytes<TypeParam>(codes, row.data()), exact) << n;
  }
}

TYPED_TEST(ByteRowsTest, HoldsTheLargestProducts) {
  const std::vector<int16_t> codes(500, INT16_MAX);
  const std::vector<int8_t> row(500, INT8_MIN);
  EXPECT_EQ(dot_bytes<TypeParam>(codes, row.data()), -500 * 128 * INT16_MAX);
}

TYPED_TEST(ByteRowsTest, IsTheDefinitionForFloats) {
  MadeUpNumbers numbers(32);
  for (size_t n = 0; n <= 9 * TypeParam::kLanes + 1; ++n) {
    const std::vector<int8_t> row = bytes_of_any_value(numbers, n);
    const std::vector<float> query = numbers.floats(n);
    double exact = 0;
    for (size_t i = 0; i < n; ++i) exact += double{query[i]} * row[i];
    EXPECT_NEAR(dot_bytes<TypeParam>(query, row.data()), exact, 2e-4) << n;
  }
}

TYPED_TEST(ByteRowsTest, WidensToTheNumbersThatBytesStandFor) {
  MadeUpNumbers numbers(33);
  for (size_t n = 0; n <= 3 * TypeParam::kLanes + 1; ++n) {
    const std::vector<int8_t> row = bytes_of_any_value(numbers, n);
    std::vector<float> wide(n);
    widen_bytes<TypeParam>(row.data(), 0.1F, -3.0F, wide);
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(wide[i], (static_cast<float>(row[i]) + 3.0F) * 0.1F);
  }
}

}  // namespace
}  // namespace ambry::kernels
