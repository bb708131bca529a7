#include "kernels/gemm/f32_gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

struct Shape {
  size_t m, n, k;
};

// Sizes that are not multiples of the tiles: rows around 5 and 6, columns around panels of 8, k
// down to 0 and 1.
std::vector<Shape> shapes() {
  std::vector<Shape> all = {{0, 3, 3}, {7, 20, 0}, {61, 33, 47}, {1, 100, 1}, {200, 9, 300}};
  for (size_t m = 1; m <= 13; ++m) {
    for (const size_t n : {1U, 7U, 8U, 9U, 12U, 17U}) all.push_back({m, n, 1 + (m * n) % 11});
  }
  return all;
}

// Σ a b of one element, and the sum of absolute products, which bounds the rounding error.
struct Exact {
  double sum = 0;
  double size = 0;
};

Exact exact_sum(const float* a, const std::vector<double>& weight, size_t column, size_t k) {
  Exact exact;
  for (size_t i = 0; i < k; ++i) {
    const double product = double{a[i]} * weight[column * k + i];
    exact.sum += product;
    exact.size += std::abs(product);
  }
  return exact;
}

template <class V>
class F32GemmTest : public ::testing::Test {
 protected:
  // C is wider than n. Its other columns must not change.
  static void check(const Shape& shape, const PackedF32Matrix& packed,
                    const std::vector<double>& weight, TestRandom& random) {
    const size_t a_stride = shape.k + 3;
    const size_t c_stride = shape.n + 2;
    const std::vector<float> a = random.floats(shape.m * a_stride);
    std::vector<float> bias = random.floats(n_panels(shape.n) * kPanelColumns);
    std::vector<float> c(shape.m * c_stride, -99.0F);
    f32_gemm<V>({a.data(), shape.m, a_stride}, packed, c.data(), c_stride, Bias{bias.data()});
    for (size_t row = 0; row < shape.m; ++row) {
      for (size_t j = 0; j < shape.n; ++j) {
        const Exact exact = exact_sum(&a[row * a_stride], weight, j, shape.k);
        EXPECT_NEAR(c[row * c_stride + j], exact.sum + double{bias[j]},
                    4e-7 * (exact.size + 1) * std::sqrt(static_cast<double>(shape.k + 1)))
            << shape.m << "x" << shape.n << "x" << shape.k << " at " << row << "," << j;
      }
      EXPECT_EQ(c[row * c_stride + shape.n], -99.0F);
      EXPECT_EQ(c[row * c_stride + shape.n + 1], -99.0F);
    }
  }
};
TYPED_TEST_SUITE(F32GemmTest, TypedIsas, IsaNames);

TYPED_TEST(F32GemmTest, MultipliesF32) {
  TestRandom random(5);
  for (const Shape& shape : shapes()) {
    const std::vector<float> weight = random.floats(shape.n * shape.k);
    const auto packed = PackedF32Matrix::pack({weight.data(), shape.k, 1}, shape.n, shape.k);
    ASSERT_TRUE(packed);
    this->check(shape, *packed, {weight.begin(), weight.end()}, random);
  }
}

TYPED_TEST(F32GemmTest, PacksATransposedSource) {
  TestRandom random(7);
  const Shape shape{4, 11, 6};
  const std::vector<float> stored = random.floats(shape.n * shape.k);  // [k, n]
  std::vector<double> weight;
  for (size_t j = 0; j < shape.n; ++j) {
    for (size_t i = 0; i < shape.k; ++i) weight.push_back(double{stored[i * shape.n + j]});
  }
  const auto packed = PackedF32Matrix::pack({stored.data(), 1, shape.n}, shape.n, shape.k);
  ASSERT_TRUE(packed);
  this->check(shape, *packed, weight, random);
}

TYPED_TEST(F32GemmTest, AddsTheResidualInPlace) {
  TestRandom random(8);
  for (const size_t n : {3U, 8U, 14U}) {
    const std::vector<float> weight = random.floats(n * 5);
    const std::vector<float> a = random.floats(9 * 5);
    const std::vector<float> bias = random.floats(n_panels(n) * kPanelColumns);
    const std::vector<float> before = random.floats(9 * n);
    const auto packed = PackedF32Matrix::pack({weight.data(), 5, 1}, n, 5);
    ASSERT_TRUE(packed);
    std::vector<float> c = before;
    f32_gemm<TypeParam>({a.data(), 9, 5}, *packed, c.data(), n,
                        BiasResidual{bias.data(), c.data(), n});
    for (size_t i = 0; i < c.size(); ++i) {
      const Exact exact = exact_sum(&a[i / n * 5], {weight.begin(), weight.end()}, i % n, 5);
      EXPECT_NEAR(c[i], exact.sum + double{bias[i % n]} + double{before[i]}, 2e-6);
    }
  }
}

TYPED_TEST(F32GemmTest, AppliesTheActivationAfterTheBias) {
  const std::vector<float> a = {1.0F};
  const std::vector<float> weight = {2.0F, -2.0F};
  const std::vector<float> bias = {1.0F, 1.0F, 0, 0, 0, 0, 0, 0};
  const auto packed = PackedF32Matrix::pack({weight.data(), 1, 1}, 2, 1);
  ASSERT_TRUE(packed);
  std::vector<float> c(2);
  f32_gemm<TypeParam>({a.data(), 1, 1}, *packed, c.data(), 2, BiasActivation<Relu>{bias.data()});
  EXPECT_EQ(c, (std::vector<float>{3.0F, 0.0F}));
}

TYPED_TEST(F32GemmTest, ARowsResultDoesNotDependOnTheOtherRows) {
  TestRandom random(9);
  const size_t n = 19;
  const size_t k = 70;
  const std::vector<float> weight = random.floats(n * k);
  const std::vector<float> a = random.floats(23 * k);
  const auto packed = PackedF32Matrix::pack({weight.data(), k, 1}, n, k);
  ASSERT_TRUE(packed);
  std::vector<float> together(23 * n);
  f32_gemm<TypeParam>({a.data(), 23, k}, *packed, together.data(), n, Scale{1.0F});
  for (size_t row = 0; row < 23; ++row) {
    std::vector<float> alone(n);
    f32_gemm<TypeParam>({&a[row * k], 1, k}, *packed, alone.data(), n, Scale{1.0F});
    for (size_t j = 0; j < n; ++j) EXPECT_EQ(alone[j], together[row * n + j]);
  }
}

TYPED_TEST(F32GemmTest, VectorizedPackingEqualsScalarPacking) {
  const std::vector<float> values = TestRandom(7).floats(19 * 23);
  for (const size_t n : {1U, 7U, 8U, 16U, 19U}) {
    for (const size_t k : {1U, 3U, 4U, 8U, 19U}) {
      for (const PackSource<float>& source :
           {PackSource<float>{values.data(), 23, 1}, {values.data(), 1, 23}}) {
        std::vector<float> expected(n_panels(n) * kPanelColumns * k);
        std::vector<float> packed(expected.size(), -1.0F);
        pack_panels(source, n, k, expected.data());
        pack_f32<TypeParam>(source, n, k, packed.data());
        EXPECT_EQ(packed, expected) << n << " columns of " << k;
      }
    }
  }
}

TYPED_TEST(F32GemmTest, NanAndInfinityStayInTheirRow) {
  const size_t k = 3;
  std::vector<float> a(7 * k, 1e-40F);
  a[4 * k] = std::numeric_limits<float>::quiet_NaN();
  a[5 * k] = std::numeric_limits<float>::infinity();
  const std::vector<float> weight(10 * k, 1.0F);
  const auto packed = PackedF32Matrix::pack({weight.data(), k, 1}, 10, k);
  ASSERT_TRUE(packed);
  std::vector<float> c(7 * 10);
  f32_gemm<TypeParam>({a.data(), 7, k}, *packed, c.data(), 10, Scale{1.0F});
  for (size_t i = 0; i < c.size(); ++i) {
    if (i / 10 == 4) {
      EXPECT_TRUE(std::isnan(c[i]));
    } else if (i / 10 == 5) {
      EXPECT_TRUE(std::isinf(c[i]));
    } else {
      EXPECT_NEAR(c[i], 3e-40, 1e-43);
    }
  }
}

}  // namespace
}  // namespace ambry::kernels
