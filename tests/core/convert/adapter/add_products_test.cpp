// Sums of products, block by block.
#include "convert/adapter/add_products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace ambry::convert {
namespace {

std::vector<float> waves(size_t n, double step) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) {
    values[i] = static_cast<float>(std::sin(static_cast<double>(i) * step + step));
  }
  return values;
}

// 7 rows and 5 columns of rank 6.
struct Matrices {
  std::vector<float> base = waves(35, 0.7);
  RowChange::Values sides = {waves(42, 0.3), waves(30, 1.1)};
  Product product = {
      .left = 0, .right = 1, .rank = 6, .scale = 0.75, .all_rows = 7, .end = 7, .order = {}};

  [[nodiscard]] std::vector<float> expected() const {
    std::vector<float> values = base;
    for (size_t row = 0; row < 7; ++row) {
      for (size_t col = 0; col < 5; ++col) {
        double sum = 0;
        for (size_t k = 0; k < 6; ++k) {
          sum += 0.75 * double{sides[0][row * 6 + k]} * double{sides[1][k * 5 + col]};
        }
        values[row * 5 + col] = static_cast<float>(double{values[row * 5 + col]} + sum);
      }
    }
    return values;
  }
};

TEST(AddProducts, RoundOnceAndDoNotDependOnBlocks) {
  const Matrices of;
  for (const size_t block : {1U, 2U, 3U, 7U}) {
    std::vector<float> values = of.base;
    for (size_t first = 0; first < 7; first += block) {
      const size_t n = std::min<size_t>(block, 7 - first);
      add_products({&of.product, 1}, of.sides, first, 5,
                   std::span(values).subspan(first * 5, n * 5));
    }
    EXPECT_EQ(values, of.expected());
  }
}

TEST(AddProducts, TakeTransposedSides) {
  const Matrices of;
  Product product = of.product;
  product.left_transposed = true;
  product.right_transposed = true;
  RowChange::Values sides = {std::vector<float>(42), std::vector<float>(30)};
  for (size_t k = 0; k < 6; ++k) {
    for (size_t row = 0; row < 7; ++row) sides[0][k * 7 + row] = of.sides[0][row * 6 + k];
    for (size_t col = 0; col < 5; ++col) sides[1][col * 6 + k] = of.sides[1][k * 5 + col];
  }
  std::vector<float> values = of.base;
  add_products({&product, 1}, sides, 0, 5, values);
  EXPECT_EQ(values, of.expected());
}

TEST(AddProducts, ChangeTheirRowsAlone) {
  const Matrices of;
  Product product = of.product;
  product.begin = 2;
  product.end = 4;
  product.first = 5;
  std::vector<float> values = waves(30, 0.9);
  const std::vector<float> before = values;
  add_products({&product, 1}, of.sides, 0, 5, values);
  for (size_t row = 0; row < 6; ++row) {
    const bool changes = row == 2 || row == 3;
    EXPECT_EQ(values[row * 5] != before[row * 5], changes) << row;
  }
}

TEST(RowOrder, GoesBothWays) {
  const RowOrder to_pairs{8, true};
  const RowOrder to_halves{8, false};
  const std::vector<uint64_t> pairs = {0, 2, 4, 6, 1, 3, 5, 7};
  for (uint64_t row = 0; row < 24; ++row) {
    EXPECT_EQ(to_pairs.row_of(row), row / 8 * 8 + pairs[row % 8]);
    EXPECT_EQ(to_halves.row_of(to_pairs.row_of(row)), row);
    EXPECT_EQ(RowOrder().row_of(row), row);
  }
}

}  // namespace
}  // namespace ambry::convert
