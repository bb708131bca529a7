#include "kernels/linear_algebra/svd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "kernels/test_random.h"

namespace ambry::kernels {
namespace {

// Element (row, column).
using Element = std::function<double(size_t, size_t)>;

Svd decompose(size_t n, const Element& element) {
  std::vector<double> columns(n * n);
  for (size_t r = 0; r < n; ++r) {
    for (size_t c = 0; c < n; ++c) columns[c * n + r] = element(r, c);
  }
  Svd svd(std::move(columns), n);
  while (svd.step()) {
  }
  return svd;
}

double dot_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// U and V are orthonormal, U S Vᵀ is the matrix, and the values descend.
void expect_decomposed(const Svd& svd, size_t n, const Element& element, double bound) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      EXPECT_NEAR(dot_of(svd.left(i), svd.left(j)), i == j, 1e-13) << i << " " << j;
      EXPECT_NEAR(dot_of(svd.right(i), svd.right(j)), i == j, 1e-13) << i << " " << j;
    }
    EXPECT_GE(svd.value(i), i + 1 < n ? svd.value(i + 1) : 0.0);
  }
  for (size_t r = 0; r < n; ++r) {
    for (size_t c = 0; c < n; ++c) {
      double sum = 0;
      for (size_t i = 0; i < n; ++i) sum += svd.value(i) * svd.left(i)[r] * svd.right(i)[c];
      EXPECT_NEAR(sum, element(r, c), bound) << r << " " << c;
    }
  }
}

void expect_orthogonal(const std::vector<double>& matrix, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      const double product =
          dot_of(std::span(matrix).subspan(i * n, n), std::span(matrix).subspan(j * n, n));
      EXPECT_NEAR(product, i == j, 1e-12) << i << " " << j;
    }
  }
}

TEST(Svd, DecomposesMatricesOfEverySize) {
  for (size_t n = 1; n <= 21; ++n) {
    const std::vector<float> values = TestRandom(n).floats(n * n);
    const Element element = [&](size_t r, size_t c) { return double{values[r * n + c]}; };
    const Svd svd = decompose(n, element);
    expect_decomposed(svd, n, element, 1e-13);
    expect_orthogonal(svd.polar(), n);
  }
}

TEST(Svd, DecomposesALargeMatrixInFewSweeps) {
  constexpr size_t kSize = 150;
  const std::vector<float> values = TestRandom(5).floats(kSize * kSize);
  const Element element = [&](size_t r, size_t c) { return double{values[r * kSize + c]}; };
  const Svd svd = decompose(kSize, element);
  expect_decomposed(svd, kSize, element, 1e-12);
  EXPECT_LE(svd.sweeps(), 15U);
}

TEST(Svd, FindsKnownValues) {
  // A rotation times a scaling: the values are the scales, the polar factor the rotation.
  const double angle = 0.3;
  const Element element = [&](size_t r, size_t c) {
    const double rotation[2][2] = {{std::cos(angle), -std::sin(angle)},
                                   {std::sin(angle), std::cos(angle)}};
    return rotation[r][c] * (c == 0 ? 2.0 : 5.0);
  };
  const Svd svd = decompose(2, element);
  EXPECT_NEAR(svd.value(0), 5.0, 1e-15);
  EXPECT_NEAR(svd.value(1), 2.0, 1e-15);
  EXPECT_NEAR(svd.polar()[0], std::cos(angle), 1e-15);
  EXPECT_NEAR(svd.polar()[1], -std::sin(angle), 1e-15);
}

TEST(Svd, IsTheEigendecompositionOfASymmetricMatrix) {
  constexpr size_t kSize = 12;
  const std::vector<float> values = TestRandom(8).floats(kSize * kSize);
  const Element element = [&](size_t r, size_t c) {  // a Gram matrix
    double sum = 0;
    for (size_t i = 0; i < kSize; ++i)
      sum += double{values[i * kSize + r]} * double{values[i * kSize + c]};
    return sum;
  };
  const Svd svd = decompose(kSize, element);
  for (size_t i = 0; i < kSize; ++i) {
    for (size_t r = 0; r < kSize; ++r) {
      double sum = 0;
      for (size_t c = 0; c < kSize; ++c) sum += element(r, c) * svd.right(i)[c];
      EXPECT_NEAR(sum, svd.value(i) * svd.right(i)[r], 1e-13);
    }
  }
}

TEST(Svd, KeepsSmallValuesExact) {
  // Nearly orthogonal columns of very different size: 1e-12 would be lost next to the square of 1.
  constexpr size_t kSize = 4;
  const double scales[kSize] = {1.0, 1e-6, 1e-9, 1e-12};
  const std::vector<float> values = TestRandom(9).floats(kSize * kSize, 0.1F);
  const Element element = [&](size_t r, size_t c) {
    return ((r == c ? 1.0 : 0.0) + double{values[r * kSize + c]}) * scales[c];
  };
  const Svd svd = decompose(kSize, element);
  expect_decomposed(svd, kSize, element, 1e-15);
  double product = 1;
  for (size_t i = 0; i < kSize; ++i) product *= svd.value(i);
  // The determinant of the matrix without the scales, from its own decomposition.
  const Svd plain = decompose(kSize, [&](size_t r, size_t c) { return element(r, c) / scales[c]; });
  double expected = 1e-27;
  for (size_t i = 0; i < kSize; ++i) expected *= plain.value(i);
  EXPECT_NEAR(product / expected, 1.0, 1e-12);
}

TEST(Svd, CompletesMatricesOfLowRank) {
  constexpr size_t kSize = 9;
  const std::vector<float> u = TestRandom(1).floats(2 * kSize);
  const std::vector<float> v = TestRandom(2).floats(2 * kSize);
  const Element rank_two = [&](size_t r, size_t c) {
    return double{u[r]} * double{v[c]} + double{u[kSize + r]} * double{v[kSize + c]};
  };
  const Svd svd = decompose(kSize, rank_two);
  expect_decomposed(svd, kSize, rank_two, 1e-14);
  EXPECT_GT(svd.value(1), 0.01);
  EXPECT_EQ(svd.value(2), 0.0);
  expect_orthogonal(svd.polar(), kSize);
  const Element zeros = [](size_t, size_t) { return 0.0; };
  const Svd none = decompose(kSize, zeros);
  expect_decomposed(none, kSize, zeros, 0.0);
  expect_orthogonal(none.polar(), kSize);
  const Element ones = [](size_t, size_t) { return 1.0; };
  const Svd equal = decompose(kSize, ones);
  expect_decomposed(equal, kSize, ones, 1e-14);
  EXPECT_NEAR(equal.value(0), 9.0, 1e-13);
}

TEST(Svd, PolarFactorOfAnOrthogonalMatrixIsItself) {
  constexpr size_t kSize = 7;
  const std::vector<float> values = TestRandom(6).floats(kSize * kSize);
  const std::vector<double> rotation =
      decompose(kSize, [&](size_t r, size_t c) { return double{values[r * kSize + c]}; }).polar();
  const std::vector<double> again =
      decompose(kSize, [&](size_t r, size_t c) { return rotation[r * kSize + c]; }).polar();
  for (size_t i = 0; i < rotation.size(); ++i) EXPECT_NEAR(again[i], rotation[i], 1e-14);
}

}  // namespace
}  // namespace ambry::kernels
