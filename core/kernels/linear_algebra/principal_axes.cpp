#include "kernels/linear_algebra/principal_axes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/linear_algebra/f64_rows.h"
#include "simd/isa.h"

namespace ambry::kernels {
namespace {

using V = simd::Baseline;

// Products of so many rows are summed in f32, and their sums in f64.
constexpr size_t kRows = 128;

std::vector<double> mean_of(std::span<const float> rows, size_t dim) {
  std::vector<double> mean(dim);
  for (size_t at = 0; at < rows.size(); at += dim) {
    for (size_t i = 0; i < dim; ++i) mean[i] += static_cast<double>(rows[at + i]);
  }
  const size_t n_rows = rows.size() / dim;
  for (double& value : mean) value /= static_cast<double>(n_rows);
  return mean;
}

}  // namespace

Result<PrincipalAxes> PrincipalAxes::begin(std::span<const float> rows, size_t dim) {
  assert(dim > 0 && !rows.empty() && rows.size() % dim == 0);
  std::vector<double> mean = mean_of(rows, dim);
  RowCorrelation sums(dim);
  std::vector<float> centered(kRows * dim);
  const size_t n_rows = rows.size() / dim;
  for (size_t first = 0; first < n_rows; first += kRows) {
    const size_t n = std::min(kRows, n_rows - first);
    for (size_t i = 0; i < n * dim; ++i) {
      centered[i] = static_cast<float>(static_cast<double>(rows[first * dim + i]) - mean[i % dim]);
    }
    AMBRY_RETURN_IF_ERROR(sums.add(centered.data(), centered.data(), n));
  }
  std::vector<double> covariance = sums.sums();
  const double divisor = static_cast<double>(std::max<size_t>(n_rows, 2) - 1);
  // The f32 sums of both halves may differ in the last bit.
  for (size_t i = 0; i < dim; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      const double value = (covariance[i * dim + j] + covariance[j * dim + i]) / 2 / divisor;
      covariance[i * dim + j] = value;
      covariance[j * dim + i] = value;
    }
  }
  return PrincipalAxes(std::move(mean), Svd(std::move(covariance), dim));
}

std::vector<double> PrincipalAxes::axes(size_t n) const {
  std::vector<double> axes;
  axes.reserve(n * mean_.size());
  for (size_t i = 0; i < n; ++i) {
    const std::span<const double> axis = svd_.right(i);
    const double largest = *std::ranges::max_element(
        axis, [](double a, double b) { return std::abs(a) < std::abs(b); });
    const double sign = largest < 0 ? -1 : 1;
    for (const double value : axis) axes.push_back(sign * value);
  }
  return axes;
}

void project_on_axes(std::span<const double> axes, std::span<const double> mean,
                     std::span<const float> row, std::span<float> out) {
  assert(mean.size() == row.size() && axes.size() == out.size() * row.size());
  std::vector<double> centered(row.size());
  for (size_t i = 0; i < row.size(); ++i) centered[i] = static_cast<double>(row[i]) - mean[i];
  for (size_t i = 0; i < out.size(); ++i) {
    const auto products = dot_products<V>(axes.subspan(i * row.size(), row.size()), centered);
    out[i] = static_cast<float>(products.ab);
  }
}

}  // namespace ambry::kernels
