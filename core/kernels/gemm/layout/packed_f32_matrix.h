// The right-hand side of a GEMM, B (k rows, n columns), packed in the order in which the
// micro-kernel reads it: panels of kPanelColumns columns, each with k rows of adjacent columns. The
// last panel is padded with zeros. For a linear layer, column j of B is row j of the weight [out,
// in]. core/kernels/README.md has a picture.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "base/unroll.h"

namespace ambry::kernels {

inline constexpr size_t kPanelColumns = 8;

[[nodiscard]] constexpr size_t n_panels(size_t n_columns) {
  return (n_columns + kPanelColumns - 1) / kPanelColumns;
}

// Adjacent panels of a matrix: what one thread multiplies.
struct PanelRange {
  size_t begin;
  size_t end;
};

// The i-th of n shares of the panels, of about equal size.
[[nodiscard]] constexpr PanelRange share_of_panels(size_t n_columns, size_t i, size_t n) {
  const size_t panels = n_panels(n_columns);
  return {panels * i / n, panels * (i + 1) / n};
}

// Copies what a row of A gives with a panel to its place in the row of C, which has `n_columns`.
// Copying a known count takes two moves; any other count takes a call.
inline void store_panel_row(const float* results, size_t panel, size_t n_columns, float* row_of_c) {
  const size_t first = panel * kPanelColumns;
  if (first + kPanelColumns <= n_columns) {
    std::copy_n(results, kPanelColumns, row_of_c + first);
  } else {
    std::copy_n(results, n_columns - first, row_of_c + first);
  }
}

// A matrix to pack. Element (column, row) of B is data[column * column_stride + row * row_stride]:
// a weight [out, in] has strides (in, 1), its transpose [in, out] has (1, out).
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

// Packs a full panel whose columns are contiguous in the source, by transposing squares.
template <class V>
void pack_columns(const float* from, size_t column_stride, size_t k, float* panel) {
  const size_t whole = k / V::kLanes * V::kLanes;
  for (size_t row = 0; row < whole; row += V::kLanes) {
    for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
      typename V::F32 square[V::kLanes];
      unroll<V::kLanes>([&](auto i) { square[i] = V::load(from + (c + i) * column_stride + row); });
      V::transpose(square);
      unroll<V::kLanes>(
          [&](auto i) { V::store(panel + (row + i) * kPanelColumns + c, square[i]); });
    }
  }
  pack_panels(PackSource<float>{from + whole, column_stride, 1}, kPanelColumns, k - whole,
              panel + whole * kPanelColumns);
}

// Packs a full panel whose rows are contiguous in the source.
template <class V>
void copy_rows(const float* from, size_t row_stride, size_t k, float* panel) {
  for (size_t row = 0; row < k; ++row) {
    for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
      V::store(panel + row * kPanelColumns + c, V::load(from + row * row_stride + c));
    }
  }
}

// pack_panels() for floats, vectorized.
template <class V>
void pack_f32(const PackSource<float>& source, size_t n, size_t k, float* panels) {
  for (size_t first = 0; first < n; first += kPanelColumns, panels += kPanelColumns * k) {
    const float* from = source.data + first * source.column_stride;
    if (n - first >= kPanelColumns && source.row_stride == 1) {
      pack_columns<V>(from, source.column_stride, k, panels);
    } else if (n - first >= kPanelColumns && source.column_stride == 1) {
      copy_rows<V>(from, source.row_stride, k, panels);
    } else {
      pack_panels(PackSource<float>{from, source.column_stride, source.row_stride},
                  std::min(n - first, kPanelColumns), k, panels);
    }
  }
}

class PackedF32Matrix {
 public:
  PackedF32Matrix() = default;

  // LimitExceeded when the heap is full.
  [[nodiscard]] static Result<PackedF32Matrix> pack(const PackSource<float>& source, size_t n,
                                                    size_t k);

  [[nodiscard]] size_t n() const { return n_; }
  [[nodiscard]] size_t k() const { return k_; }
  // Heap bytes.
  [[nodiscard]] size_t bytes() const { return panels_.size(); }

  [[nodiscard]] const float* panels() const { return panels_.as<float>().data(); }

 private:
  size_t n_ = 0;
  size_t k_ = 0;
  AlignedBuffer panels_;
};

}  // namespace ambry::kernels
