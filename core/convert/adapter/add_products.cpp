#include "convert/adapter/add_products.h"

#include <algorithm>

namespace ambry::convert {
namespace {

// sum[c] = the products of a row of the left side and the columns of the right side.
void multiply(std::span<const double> left, std::span<const float> right, bool transposed,
              std::span<double> sum) {
  const size_t rank = left.size();
  if (transposed) {
    for (size_t c = 0; c < sum.size(); ++c) {
      double total = 0;
      for (size_t k = 0; k < rank; ++k) total += left[k] * static_cast<double>(right[c * rank + k]);
      sum[c] = total;
    }
    return;
  }
  std::ranges::fill(sum, 0.0);
  const size_t cols = sum.size();
  size_t k = 0;
  // Four rows at once, so that each sum is loaded and stored less often. The order of the additions
  // stays.
  for (; k + 4 <= rank; k += 4) {
    const float* const row = &right[k * cols];
    const double factors[] = {left[k], left[k + 1], left[k + 2], left[k + 3]};
    for (size_t c = 0; c < cols; ++c) {
      double total = sum[c];
      for (size_t i = 0; i < 4; ++i) total += factors[i] * static_cast<double>(row[i * cols + c]);
      sum[c] = total;
    }
  }
  for (; k < rank; ++k) {
    const float* const row = &right[k * cols];
    for (size_t c = 0; c < cols; ++c) sum[c] += left[k] * static_cast<double>(row[c]);
  }
}

}  // namespace

uint64_t RowOrder::row_of(uint64_t row) const {
  if (head_dim == 0) return row;
  const uint64_t half = head_dim / 2;
  const uint64_t in_head = row % head_dim;
  const uint64_t before = row - in_head;
  if (to_interleaved) return before + (in_head < half ? 2 * in_head : 2 * (in_head - half) + 1);
  return before + in_head / 2 + (in_head % 2 == 0 ? 0 : half);
}

void add_products(std::span<const Product> products, const RowChange::Values& sides,
                  uint64_t first_row, uint64_t n_cols, std::span<float> rows) {
  const auto cols = static_cast<size_t>(n_cols);
  const uint64_t n_rows = rows.size() / cols;
  std::vector<double> sum(cols);
  std::vector<double> left;
  for (const Product& product : products) {
    const std::vector<float>& all_left = sides[product.left];
    left.resize(static_cast<size_t>(product.rank));
    const uint64_t begin = std::max(first_row, product.begin);
    const uint64_t end = std::min(first_row + n_rows, product.end);
    for (uint64_t row = begin; row < end; ++row) {
      const uint64_t of = product.order.row_of(row - product.begin + product.first);
      for (uint64_t k = 0; k < product.rank; ++k) {
        const uint64_t at =
            product.left_transposed ? k * product.all_rows + of : of * product.rank + k;
        left[static_cast<size_t>(k)] =
            product.scale * static_cast<double>(all_left[static_cast<size_t>(at)]);
      }
      multiply(left, sides[product.right], product.right_transposed, sum);
      float* const out = &rows[static_cast<size_t>(row - first_row) * cols];
      for (size_t c = 0; c < cols; ++c) {
        out[c] = static_cast<float>(static_cast<double>(out[c]) + sum[c]);
      }
    }
  }
}

}  // namespace ambry::convert
