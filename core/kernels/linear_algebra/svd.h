// Singular value decomposition of a square matrix by Hestenes' one-sided Jacobi rotations: pairs of
// columns are rotated until all are orthogonal. Small singular values come out as exact as large
// ones. For a symmetric matrix without negative eigenvalues this is the eigendecomposition.
//
// It runs in steps, because a matrix of 1,024 rows takes seconds. It always uses Baseline's
// arithmetic, so that equal input gives equal bits in every build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ambry::kernels {

class Svd {
 public:
  // Row i of `columns` is column i of the matrix; n x n finite values.
  Svd(std::vector<double> columns, size_t n);

  // Rotates one column against all columns behind it, in at most about 20 n^2 operations. False
  // when nothing is left to do.
  bool step();
  [[nodiscard]] size_t sweeps() const { return sweeps_; }

  // The results are valid once step() has returned false. i = 0 is the largest singular value.
  [[nodiscard]] double value(size_t i) const { return values_[i]; }
  // Orthonormal whatever the rank: vectors without a singular value are chosen freely.
  [[nodiscard]] std::span<const double> left(size_t i) const { return row(columns_, order_[i]); }
  [[nodiscard]] std::span<const double> right(size_t i) const { return row(right_, order_[i]); }
  // The nearest orthogonal matrix, Σ left(i) right(i)ᵀ, row-major.
  [[nodiscard]] std::vector<double> polar() const;

 private:
  [[nodiscard]] std::span<const double> row(const std::vector<double>& rows, size_t i) const {
    return std::span(rows).subspan(i * n_, n_);
  }
  [[nodiscard]] std::span<double> row(std::vector<double>& rows, size_t i) const {
    return std::span(rows).subspan(i * n_, n_);
  }
  bool rotate(size_t first, size_t second);
  void finish();
  void complete_left(size_t rank);

  size_t n_;
  std::vector<double> columns_;  // rotated so far; in the end the left vectors
  std::vector<double> right_;    // the same rotations applied to the identity
  double null_square_;           // the squared length at which a column is only rounding error
  size_t next_ = 0;              // the column to rotate next
  size_t sweeps_ = 0;
  bool rotated_ = false;  // any pair in this sweep
  bool finished_ = false;
  std::vector<uint32_t> order_;  // the columns, largest value first
  std::vector<double> values_;   // in that order
};

}  // namespace ambry::kernels
