// Principal component analysis: the directions in which rows vary most, by the exact
// eigendecomposition of their covariance. It runs in steps, as Svd does. It always uses Baseline's
// arithmetic, and the sign of each axis is fixed, so equal input gives equal bits in every build.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "kernels/linear_algebra/row_products.h"
#include "kernels/linear_algebra/svd.h"

namespace ambry::kernels {

class PrincipalAxes {
 public:
  // `rows` are n_rows x dim finite values, at least one row.
  [[nodiscard]] static Result<PrincipalAxes> begin(std::span<const float> rows, size_t dim);

  // Works for a while. False when nothing is left to do.
  bool step() { return svd_.step(); }
  // The sweeps over the axes that are done. About ten are needed.
  [[nodiscard]] size_t sweeps() const { return svd_.sweeps(); }

  // The results are valid once step() has returned false. i = 0 is the largest variance.
  [[nodiscard]] double variance(size_t i) const { return svd_.value(i); }
  // The first `n` axes, one after another. The largest number of each is positive.
  [[nodiscard]] std::vector<double> axes(size_t n) const;
  [[nodiscard]] std::span<const double> mean() const { return mean_; }

 private:
  PrincipalAxes(std::vector<double> mean, Svd svd) : mean_(std::move(mean)), svd_(std::move(svd)) {}

  std::vector<double> mean_;
  Svd svd_;
};

// out[i] = axis i · (row - mean); `axes` has out.size() axes of row.size() values.
void project_on_axes(std::span<const double> axes, std::span<const double> mean,
                     std::span<const float> row, std::span<float> out);

}  // namespace ambry::kernels
