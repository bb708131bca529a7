// The right-hand side of a gemm, B (k rows, n columns), in the order in which the inner loop reads
// it: panels of kPanelColumns columns, each panel k rows of adjacent columns. The last panel is
// filled up with zeros. For a linear layer, column j holds row j of the weight [out, in].
//
// Either f32, or int8 with a scale and a zero point for each column: w = (q - zero point) * scale.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"

namespace ambry::kernels {

inline constexpr size_t kPanelColumns = 8;

[[nodiscard]] constexpr size_t n_panels(size_t n_columns) {
  return (n_columns + kPanelColumns - 1) / kPanelColumns;
}

// A matrix to be packed, element (column, row) of B at data[column * column_stride + row *
// row_stride]: a weight [out, in] has strides (in, 1), its transpose [in, out] has (1, out).
template <class T>
struct PackSource {
  const T* data;
  size_t column_stride;
  size_t row_stride;
};

// `panels` must have room for n_panels(n) * kPanelColumns * k elements.
template <class T>
void pack_panels(const PackSource<T>& source, size_t n, size_t k, T* panels) {
  for (size_t first = 0; first < n; first += kPanelColumns) {
    const size_t n_filled = n - first < kPanelColumns ? n - first : kPanelColumns;
    for (size_t row = 0; row < k; ++row, panels += kPanelColumns) {
      const T* from = source.data + first * source.column_stride + row * source.row_stride;
      for (size_t c = 0; c < n_filled; ++c) panels[c] = from[c * source.column_stride];
      for (size_t c = n_filled; c < kPanelColumns; ++c) panels[c] = T{};
    }
  }
}

class PackedMatrix {
 public:
  PackedMatrix() = default;

  [[nodiscard]] static Result<PackedMatrix> pack_f32(const PackSource<float>& source, size_t n,
                                                     size_t k);
  // `scales` and `zero_points` have one number for each column.
  [[nodiscard]] static Result<PackedMatrix> pack_int8(const PackSource<int8_t>& source, size_t n,
                                                      size_t k, std::span<const float> scales,
                                                      std::span<const float> zero_points);

  [[nodiscard]] size_t n() const { return n_; }
  [[nodiscard]] size_t k() const { return k_; }
  [[nodiscard]] bool is_int8() const { return columns_.size() > 0; }
  // Heap bytes held.
  [[nodiscard]] size_t bytes() const { return panels_.size() + columns_.size(); }

  [[nodiscard]] const float* f32_panels() const {
    assert(!is_int8());
    return panels_.as<float>().data();
  }
  [[nodiscard]] const int8_t* int8_panel(size_t i) const {
    assert(is_int8() && i < n_panels(n_));
    return panels_.as<int8_t>().data() + i * kPanelColumns * k_;
  }
  // kPanelColumns numbers for the columns of panel i.
  [[nodiscard]] const float* scales(size_t i) const {
    return columns_.as<float>().data() + i * kPanelColumns;
  }
  [[nodiscard]] const float* zero_points(size_t i) const {
    return columns_.as<float>().data() + (n_panels(n_) + i) * kPanelColumns;
  }

 private:
  size_t n_ = 0;
  size_t k_ = 0;
  AlignedBuffer panels_;
  AlignedBuffer columns_;  // int8 only: scales, then zero points, each n_panels * kPanelColumns
};

}  // namespace ambry::kernels
