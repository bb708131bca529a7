// Products of int16 pairs (integer_microkernel.h) where both sides are quantized in groups: the
// integers of each group have a scale and a zero point of their own
// (core/formats/tinyruntime/README.md#dq8-arithmetic). With (q - zq)(w - zw) = q w - zw q - zq (w -
// zw), the sums over a group need only the products of the integers and the sums of each side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/gemm/layout/integer_microkernel.h"

namespace ambry::kernels {

// The group-quantized rows of one side, indexed by row and group, or the columns of a panel,
// indexed by group and column.
struct QuantizedGroups {
  const int16_t* pairs;
  const float* scales;
  const int32_t* zero_points;  // nullptr: all 0
  // Sums of the integers; on side A, of the integers minus their zero point. Not read where all
  // zero points are 0.
  const int32_t* sums;
};

struct GroupShape {
  size_t n_groups;
  size_t n_pairs;  // in one group

  [[nodiscard]] size_t row_size() const { return n_groups * n_pairs * 2; }  // in int16 values
};

// sum + (product * weight scale) * row scale, each step rounded (the order of
// core/formats/tinyruntime/README.md#dq8-sum).
template <class V>
[[nodiscard]] typename V::F32 add_scaled(typename V::F32 sum, typename V::I32 product,
                                         typename V::F32 weight_scale, float row_scale) {
  return V::add(sum, V::mul(V::mul(V::to_f32(product), weight_scale), V::splat(row_scale)));
}

// Adds one group's products to `sums`.
template <class V>
void add_group(const QuantizedGroups& a, size_t at, const QuantizedGroups& b, size_t column_at,
               const int32_t* products, float* sums) {
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    auto product = V::load_i32(products + c);
    if (a.zero_points != nullptr) {
      const auto of_rows =
          V::mul_i32(V::load_i32(b.zero_points + column_at + c), V::splat_i32(a.sums[at]));
      const auto of_columns =
          V::mul_i32(V::load_i32(b.sums + column_at + c), V::splat_i32(a.zero_points[at]));
      product = V::sub_i32(V::sub_i32(product, of_rows), of_columns);
    }
    V::store(sums + c, add_scaled<V>(V::load(sums + c), product, V::load(b.scales + column_at + c),
                                     a.scales[at]));
  }
}

// Computes sums[r][0..8) for up to kIntegerTileRows rows from `row` on. Groups are added in order,
// starting from 0.
template <class V>
void multiply_groups(const GroupShape& shape, const QuantizedGroups& a, size_t row, size_t rows,
                     const QuantizedGroups& b, float* sums) {
  std::fill_n(sums, rows * kPanelColumns, 0.0F);
  int32_t products[kIntegerTileRows * kPanelColumns];
  const int16_t* from = a.pairs + row * shape.row_size();
  for (size_t g = 0; g < shape.n_groups; ++g, from += 2 * shape.n_pairs) {
    const int16_t* panel = b.pairs + g * shape.n_pairs * 2 * kPanelColumns;
    multiply_integer_rows<V, Int16Pairs>(rows, from, shape.row_size(), panel, shape.n_pairs,
                                         products);
    for (size_t r = 0; r < rows; ++r) {
      add_group<V>(a, (row + r) * shape.n_groups + g, b, g * kPanelColumns,
                   products + r * kPanelColumns, sums + r * kPanelColumns);
    }
  }
}

}  // namespace ambry::kernels
