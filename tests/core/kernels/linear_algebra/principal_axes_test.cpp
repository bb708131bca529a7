#include "kernels/linear_algebra/principal_axes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/test_random.h"

namespace ambry::kernels {
namespace {

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Rows that vary most along some directions that are no axes of coordinates.
std::vector<float> rows_of(size_t n_rows, size_t dim) {
  TestRandom random(9);
  std::vector<float> rows;
  for (size_t r = 0; r < n_rows; ++r) {
    const std::vector<float> noise = random.floats(dim);
    for (size_t i = 0; i < dim; ++i) {
      const float shared = noise[(i + 1) % dim] * static_cast<float>(dim - i);
      rows.push_back(3.0F + noise[i] * 0.1F + shared);
    }
  }
  return rows;
}

PrincipalAxes analyse(const std::vector<float>& rows, size_t dim) {
  auto axes = PrincipalAxes::begin(rows, dim);
  EXPECT_TRUE(axes);
  while (axes->step()) {
  }
  return std::move(*axes);
}

// Against the definition, in doubles: C v = λ v for the covariance C of the rows.
TEST(PrincipalAxes, AreTheEigenvectorsOfTheCovariance) {
  constexpr size_t kDim = 12;
  constexpr size_t kRows = 300;
  const std::vector<float> rows = rows_of(kRows, kDim);
  const PrincipalAxes analysis = analyse(rows, kDim);
  std::vector<double> mean(kDim);
  for (size_t i = 0; i < rows.size(); ++i) mean[i % kDim] += double{rows[i]} / kRows;
  std::vector<double> covariance(kDim * kDim);
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t i = 0; i < kDim; ++i) {
      for (size_t j = 0; j < kDim; ++j) {
        covariance[i * kDim + j] += (double{rows[r * kDim + i]} - mean[i]) *
                                    (double{rows[r * kDim + j]} - mean[j]) / (kRows - 1);
      }
    }
  }
  const std::vector<double> axes = analysis.axes(kDim);
  const double scale = analysis.variance(0);
  for (size_t a = 0; a < kDim; ++a) {
    const auto axis = std::span<const double>(axes).subspan(a * kDim, kDim);
    EXPECT_NEAR(product(axis, axis), 1, 1e-12);
    if (a > 0) {
      EXPECT_LE(analysis.variance(a), analysis.variance(a - 1));
    }
    for (size_t i = 0; i < kDim; ++i) {
      const auto line = std::span<const double>(covariance).subspan(i * kDim, kDim);
      EXPECT_NEAR(product(line, axis), analysis.variance(a) * axis[i], 1e-6 * scale) << a;
    }
  }
  for (size_t i = 0; i < kDim; ++i) EXPECT_NEAR(analysis.mean()[i], mean[i], 1e-12);
}

TEST(PrincipalAxes, HavePositiveLargestNumbers) {
  const PrincipalAxes analysis = analyse(rows_of(50, 5), 5);
  const std::vector<double> axes = analysis.axes(5);
  for (size_t a = 0; a < 5; ++a) {
    double largest = 0;
    for (size_t i = 0; i < 5; ++i) {
      if (std::abs(axes[a * 5 + i]) > std::abs(largest)) largest = axes[a * 5 + i];
    }
    EXPECT_GT(largest, 0);
  }
}

// Projections have the mean 0 and the variances of their axes.
TEST(PrincipalAxes, ProjectRows) {
  constexpr size_t kDim = 6;
  const std::vector<float> rows = rows_of(200, kDim);
  const PrincipalAxes analysis = analyse(rows, kDim);
  const std::vector<double> axes = analysis.axes(2);
  std::vector<double> sums(2);
  std::vector<double> squares(2);
  for (size_t at = 0; at < rows.size(); at += kDim) {
    float out[2];
    project_on_axes(axes, analysis.mean(), std::span(rows).subspan(at, kDim), out);
    for (size_t i = 0; i < 2; ++i) {
      sums[i] += out[i];
      squares[i] += double{out[i]} * double{out[i]};
    }
  }
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(sums[i] / 200, 0, 1e-5);
    EXPECT_NEAR(squares[i] / 199, analysis.variance(i), 1e-4 * analysis.variance(0));
  }
}

TEST(PrincipalAxes, OfEqualRowsHaveNoVariance) {
  const PrincipalAxes analysis = analyse(std::vector<float>(40, 0.25F), 4);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(analysis.variance(i), 0);
  const std::vector<double> axes = analysis.axes(4);
  for (size_t i = 0; i < 4; ++i) {
    const auto axis = std::span<const double>(axes).subspan(i * 4, 4);
    EXPECT_NEAR(product(axis, axis), 1, 1e-12);
  }
}

}  // namespace
}  // namespace ambry::kernels
