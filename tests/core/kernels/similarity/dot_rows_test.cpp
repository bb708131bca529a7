#include "kernels/similarity/dot_rows.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"
#include "tensor/word_norm.h"

namespace ambry::kernels {
namespace {

template <class V>
class DotRowsTest : public ::testing::Test {};
TYPED_TEST_SUITE(DotRowsTest, TypedIsas, IsaNames);

// Every length that can remain after the long steps.
TYPED_TEST(DotRowsTest, HasTheSameBitsAsTheReference) {
  TestRandom random(7);
  for (size_t dim = 1; dim <= 75; ++dim) {
    for (size_t n_rows = 0; n_rows <= 3; ++n_rows) {
      const std::vector<float> rows = random.floats(n_rows * dim);
      const std::vector<float> query = random.floats(dim);
      std::vector<float> scores(n_rows);
      dot_rows<TypeParam>(rows.data(), query, scores);
      for (size_t row = 0; row < n_rows; ++row) {
        const float expected = tensor::word_dot(std::span(rows).subspan(row * dim, dim), query);
        EXPECT_EQ(std::bit_cast<uint32_t>(scores[row]), std::bit_cast<uint32_t>(expected))
            << dim << " values, row " << row;
      }
    }
  }
}

TYPED_TEST(DotRowsTest, NanAndInfinityStayInTheirRow) {
  constexpr size_t kDim = 19;
  const std::vector<float> query(kDim, 1.0F);
  for (size_t at = 0; at < kDim; ++at) {
    std::vector<float> rows(3 * kDim, 0.5F);
    rows[kDim + at] = std::numeric_limits<float>::quiet_NaN();
    rows[2 * kDim + at] = std::numeric_limits<float>::infinity();
    std::vector<float> scores(3);
    dot_rows<TypeParam>(rows.data(), query, scores);
    EXPECT_EQ(scores[0], 9.5F);
    EXPECT_TRUE(scores[1] != scores[1]);
    EXPECT_EQ(scores[2], rows[2 * kDim + at]);
  }
}

}  // namespace
}  // namespace ambry::kernels
