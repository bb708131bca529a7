#include "kernels/linear_algebra/svd.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "base/order.h"
#include "kernels/linear_algebra/f64_rows.h"
#include "simd/isa.h"

namespace ambry::kernels {
namespace {

using V = simd::Baseline;

// Matrices have needed about ten.
constexpr size_t kMaxSweeps = 60;

double square_of(std::span<const double> row) { return dot_products<V>(row, row).aa; }

void scale(std::span<double> row, double factor) {
  for (double& x : row) x *= factor;
}

}  // namespace

Svd::Svd(std::vector<double> columns, size_t n) : n_(n), columns_(std::move(columns)) {
  assert(n_ > 0 && columns_.size() == n_ * n_);
  right_.resize(n_ * n_);
  for (size_t i = 0; i < n_; ++i) right_[i * n_ + i] = 1.0;
  const double relative = std::numeric_limits<double>::epsilon() * static_cast<double>(n_);
  null_square_ = square_of(columns_) * relative * relative;
}

// Makes two columns orthogonal. False when they already are.
bool Svd::rotate(size_t first, size_t second) {
  const auto a = row(columns_, first);
  const auto b = row(columns_, second);
  const auto [aa, ab, bb] = dot_products<V>(a, b);
  if (aa <= null_square_ || bb <= null_square_) return false;
  const double tolerance =
      std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(n_));
  if (std::fabs(ab) <= tolerance * std::sqrt(aa) * std::sqrt(bb)) return false;
  const double zeta = (bb - aa) / (2.0 * ab);
  const double tangent =
      std::copysign(1.0, zeta) / (std::fabs(zeta) + std::sqrt(1.0 + zeta * zeta));
  const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
  rotate_rows<V>(a, b, cosine, cosine * tangent);
  rotate_rows<V>(row(right_, first), row(right_, second), cosine, cosine * tangent);
  return true;
}

bool Svd::step() {
  if (finished_) return false;
  for (size_t second = next_ + 1; second < n_; ++second) {
    if (rotate(next_, second)) rotated_ = true;
  }
  if (++next_ < n_) return true;
  next_ = 0;
  ++sweeps_;
  if (rotated_ && sweeps_ < kMaxSweeps) {
    rotated_ = false;
    return true;
  }
  finish();
  return false;
}

void Svd::finish() {
  std::vector<double> squares(n_);
  for (size_t i = 0; i < n_; ++i) squares[i] = square_of(row(columns_, i));
  order_ = sorted_order(n_, [&](uint32_t a, uint32_t b) { return squares[a] > squares[b]; });
  values_.resize(n_);
  size_t rank = 0;
  for (size_t i = 0; i < n_; ++i) {
    const double square = squares[order_[i]];
    if (square <= null_square_) break;
    values_[i] = std::sqrt(square);
    scale(row(columns_, order_[i]), 1.0 / values_[i]);
    ++rank;
  }
  complete_left(rank);
  finished_ = true;
}

// Columns that are only rounding errors are replaced by unit vectors orthogonal to all others. Each
// starts as the axis of which the others hold least, minus its projections on them. A second pass
// removes the projections that rounding leaves.
void Svd::complete_left(size_t rank) {
  if (rank == n_) return;
  std::vector<double> held(n_);  // for each axis, the sum of squares that the columns so far hold
  const auto hold = [&](std::span<const double> column) {
    for (size_t i = 0; i < n_; ++i) held[i] += column[i] * column[i];
  };
  for (size_t i = 0; i < rank; ++i) hold(left(i));
  for (size_t i = rank; i < n_; ++i) {
    const auto column = row(columns_, order_[i]);
    std::ranges::fill(column, 0.0);
    column[static_cast<size_t>(std::ranges::min_element(held) - held.begin())] = 1.0;
    for (int pass = 0; pass < 2; ++pass) {
      for (size_t j = 0; j < i; ++j) {
        const double projection = dot_products<V>(left(j), column).ab;
        if (projection != 0.0) axpy<V>(left(j), -projection, column);
      }
      scale(column, 1.0 / std::sqrt(square_of(column)));
    }
    hold(column);
  }
}

std::vector<double> Svd::polar() const {
  assert(finished_);
  std::vector<double> result(n_ * n_);
  for (size_t i = 0; i < n_; ++i) {
    for (size_t r = 0; r < n_; ++r) axpy<V>(right(i), left(i)[r], row(result, r));
  }
  return result;
}

}  // namespace ambry::kernels
