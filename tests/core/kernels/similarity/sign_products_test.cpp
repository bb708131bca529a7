#include "kernels/similarity/sign_products.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class SignProductsTest : public ::testing::Test {};
TYPED_TEST_SUITE(SignProductsTest, TypedIsas, IsaNames);

// The planes of integers from -8 to 7.
std::vector<uint8_t> planes_of(const std::vector<int32_t>& integers) {
  const size_t n = integers.size() / 8;
  std::vector<uint8_t> planes(kSignPlanes * n);
  for (size_t i = 0; i < integers.size(); ++i) {
    for (size_t j = 0; j < kSignPlanes; ++j) {
      const unsigned bit = static_cast<unsigned>(integers[i]) >> j & 1U;
      planes[j * n + i / 8] = static_cast<uint8_t>(planes[j * n + i / 8] | bit << (i % 8));
    }
  }
  return planes;
}

TYPED_TEST(SignProductsTest, SumsWhereBitsAreSet) {
  TestRandom random(41);
  // Beyond 31 blocks the counts of bits would not fit a byte.
  for (const size_t blocks : {1U, 2U, 3U, 31U, 32U, 70U}) {
    const size_t n_bytes = blocks * kSignBlockBytes;
    std::vector<uint8_t> signs(n_bytes);
    for (uint8_t& byte : signs) byte = static_cast<uint8_t>(random.bits() & 0xFFU);
    std::vector<int32_t> integers(8 * n_bytes);
    int32_t expected = 0;
    for (size_t i = 0; i < integers.size(); ++i) {
      integers[i] = static_cast<int32_t>(random.bits() & 0xFU) - 8;
      if ((signs[i / 8] >> (i % 8) & 1U) != 0) expected += integers[i];
    }
    EXPECT_EQ(sum_where_set<TypeParam>(signs, planes_of(integers).data()), expected) << blocks;
  }
}

TYPED_TEST(SignProductsTest, HandlesTheLargestSums) {
  for (const int32_t extreme : {-8, 7}) {
    const size_t n_bytes = 40 * kSignBlockBytes;
    const std::vector<uint8_t> signs(n_bytes, 0xFF);
    const std::vector<int32_t> integers(8 * n_bytes, extreme);
    EXPECT_EQ(sum_where_set<TypeParam>(signs, planes_of(integers).data()),
              extreme * static_cast<int32_t>(8 * n_bytes));
  }
}

}  // namespace
}  // namespace ambry::kernels
