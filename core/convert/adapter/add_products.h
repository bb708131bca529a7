// Adds products of two narrow matrices to the rows of a matrix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convert/plan/plan.h"

namespace ambry::convert {

// Rows of the order in which an adapter has them, for a row of the base.
struct RowOrder {
  uint32_t head_dim = 0;        // 0: both have the same order
  bool to_interleaved = false;  // the base has halves together, and the adapter pairs

  [[nodiscard]] uint64_t row_of(uint64_t row) const;
};

// scale * left right, for some rows of a matrix. Both sides are among the companions of a
// RowChange.
struct Product {
  size_t left = 0;
  size_t right = 0;
  uint64_t rank = 0;
  double scale = 1;
  bool left_transposed = false;   // left is [rank, all_rows], else [all_rows, rank]
  bool right_transposed = false;  // right is [columns, rank], else [rank, columns]
  uint64_t all_rows = 0;          // of the whole weight
  uint64_t begin = 0;             // the rows of the matrix that get the product
  uint64_t end = 0;
  uint64_t first = 0;  // the row of the weight that `begin` is
  RowOrder order;
};

// A RowChange::apply. Each row is summed in double and rounded once for each product, so the values
// do not depend on the blocks in which rows come.
void add_products(std::span<const Product> products, const RowChange::Values& sides,
                  uint64_t first_row, uint64_t n_cols, std::span<float> rows);

}  // namespace ambry::convert
