#include "kernels/linear_algebra/row_products.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/test_random.h"

namespace ambry::kernels {
namespace {

TEST(RowRotation, MultipliesEveryRow) {
  for (const size_t n : {1U, 3U, 8U, 19U}) {
    TestRandom random(n);
    const std::vector<float> matrix = random.floats(n * n);
    const std::vector<float> rows = random.floats(7 * n);
    const auto rotation = RowRotation::pack(matrix, n);
    ASSERT_TRUE(rotation);
    std::vector<float> to(rows.size());
    rotation->apply(rows.data(), 7, to.data());
    for (size_t row = 0; row < 7; ++row) {
      for (size_t column = 0; column < n; ++column) {
        double sum = 0;
        for (size_t i = 0; i < n; ++i) {
          sum += double{rows[row * n + i]} * double{matrix[i * n + column]};
        }
        EXPECT_NEAR(to[row * n + column], sum, 1e-5);
      }
    }
  }
}

TEST(RowCorrelation, SumsOverAllCalls) {
  constexpr size_t kSize = 11;
  TestRandom random(1);
  RowCorrelation correlation(kSize);
  std::vector<double> expected(kSize * kSize);
  for (const size_t n_rows : {1U, 5U, 16U}) {
    const std::vector<float> a = random.floats(n_rows * kSize);
    const std::vector<float> b = random.floats(n_rows * kSize);
    ASSERT_TRUE(correlation.add(a.data(), b.data(), n_rows));
    for (size_t row = 0; row < n_rows; ++row) {
      for (size_t i = 0; i < kSize * kSize; ++i) {
        expected[i] += double{a[row * kSize + i / kSize]} * double{b[row * kSize + i % kSize]};
      }
    }
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(correlation.sums()[i], expected[i], 1e-5);
  }
}

}  // namespace
}  // namespace ambry::kernels
