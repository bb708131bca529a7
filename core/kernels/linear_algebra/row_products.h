// Products of many rows with a small square matrix, and sums of products of the elements of many
// rows. Both always use Baseline's arithmetic: equal input gives equal bits in every build.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"

namespace ambry::kernels {

// x · P for rows x.
class RowRotation {
 public:
  RowRotation() = default;
  // `matrix` is n x n, row-major.
  [[nodiscard]] static Result<RowRotation> pack(std::span<const float> matrix, size_t n);

  // `to` must not overlap `rows`.
  void apply(const float* rows, size_t n_rows, float* to) const;

 private:
  PackedF32Matrix matrix_;
};

// Σ aᵀ b over pairs of rows, an n x n matrix: summed in f32 over the rows of one call, in f64 over
// calls.
class RowCorrelation {
 public:
  explicit RowCorrelation(size_t n) : n_(n), sums_(n * n), part_(n * n) {}

  [[nodiscard]] Result<void> add(const float* a, const float* b, size_t n_rows);
  // Element (i, j) is the sum of a[i] * b[j]. Row-major.
  [[nodiscard]] const std::vector<double>& sums() const { return sums_; }

 private:
  size_t n_;
  std::vector<double> sums_;
  std::vector<float> part_;
  std::vector<float> transposed_;  // the rows of `a` as columns
};

}  // namespace ambry::kernels
