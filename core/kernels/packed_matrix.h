// The right-hand side of a gemm, B (k rows, n columns), in the order in which the inner loop reads
// it: panels of kPanelColumns columns, each panel k rows of adjacent columns. The last panel is
// filled up with zeros. For a linear layer, column j holds row j of the weight [out, in].
#pragma once

#include <cstddef>

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

  // LimitExceeded when the heap is full.
  [[nodiscard]] static Result<PackedMatrix> pack(const PackSource<float>& source, size_t n,
                                                 size_t k);

  [[nodiscard]] size_t n() const { return n_; }
  [[nodiscard]] size_t k() const { return k_; }
  // Heap bytes held.
  [[nodiscard]] size_t bytes() const { return panels_.size(); }

  [[nodiscard]] const float* panels() const { return panels_.as<float>().data(); }

 private:
  size_t n_ = 0;
  size_t k_ = 0;
  AlignedBuffer panels_;
};

}  // namespace ambry::kernels
