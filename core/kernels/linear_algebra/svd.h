// Singular values and vectors of a square matrix by Hestenes' one-sided Jacobi rotations: pairs of
// columns are turned until all are orthogonal. Small singular values come out as exact as large
// ones, and of a symmetric matrix without negative eigenvalues it is the eigendecomposition.
//
// It works in shares, for a matrix of 1,024 rows takes seconds; and with Baseline's arithmetic in
// every flavour, so that equal input gives equal bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ambry::kernels {

class Svd {
 public:
  // Row i of `columns` is column i of the matrix; n x n finite numbers.
  Svd(std::vector<double> columns, size_t n);

  // Turns one column against those behind it, at most about 20 n^2 operations. False when nothing
  // is left to do.
  bool step();
  [[nodiscard]] size_t sweeps() const { return sweeps_; }

  // From here on: when step() has returned false. i = 0 is the largest singular value.
  [[nodiscard]] double value(size_t i) const { return values_[i]; }
  // Orthonormal whatever the rank: those of no singular value are chosen freely.
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
  std::vector<double> columns_;  // turned; in the end the left vectors
  std::vector<double> right_;    // the same rotations of the identity
  double null_square_;           // a column of no more than this is rounding error
  size_t next_ = 0;              // column to be turned
  size_t sweeps_ = 0;
  bool rotated_ = false;  // any pair in this sweep
  bool finished_ = false;
  std::vector<uint32_t> order_;  // of the columns, largest first
  std::vector<double> values_;   // in that order
};

}  // namespace ambry::kernels
