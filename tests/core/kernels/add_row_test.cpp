#include "kernels/add_row.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class AddRowTest : public ::testing::Test {};
TYPED_TEST_SUITE(AddRowTest, TypedIsas, IsaNames);

TYPED_TEST(AddRowTest, AddsElementwise) {
  TestRandom random(41);
  for (size_t n = 0; n <= 3 * TypeParam::kLanes + 1; ++n) {
    const std::vector<float> row = random.floats(n);
    const std::vector<float> before = random.floats(n);
    std::vector<float> to = before;
    add_row<TypeParam>(row, to);
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(to[i], before[i] + row[i]);
  }
}

}  // namespace
}  // namespace ambry::kernels
