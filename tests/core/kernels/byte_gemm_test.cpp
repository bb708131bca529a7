#include "kernels/byte_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/made_up_numbers.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

// An int8 weight [n, k] in every one of its parts.
struct ByteWeight {
  std::vector<int8_t> codes;
  std::vector<float> scales;
  std::vector<float> zero_points;
  size_t k;

  ByteWeight(size_t n, size_t k, MadeUpNumbers& numbers)
      : codes(n * k), scales(numbers.floats(n)), zero_points(n), k(k) {
    for (int8_t& x : codes) x = static_cast<int8_t>(numbers.bits() & 0xFF);
    for (float& x : zero_points) x = std::floor(numbers.next() * 100.0F);
  }
  [[nodiscard]] double at(size_t output, size_t i) const {
    return (codes[output * k + i] - double{zero_points[output]}) * double{scales[output]};
  }
  [[nodiscard]] ByteMatrix packed() const {
    return ByteMatrix::pack(codes.data(), scales.size(), k, scales, zero_points).value();
  }
};

// Rows of floats and their codes.
template <class V>
struct Coded {
  std::vector<int16_t> codes;
  std::vector<RowUnit> units;
  CodedRows view;

  Coded(const std::vector<float>& rows, size_t k)
      : codes(rows.size() / k * byte_stride(k), 77), units(rows.size() / k) {
    view = {codes.data(), units.data(), units.size(), byte_stride(k)};
    encode_rows<V>(rows.data(), k, k, view);
  }
  // What number i of a row has become.
  [[nodiscard]] double at(size_t row, size_t i) const {
    return double{units[row].scale} * codes[row * view.stride + i];
  }
};

template <class V>
class ByteGemmTest : public ::testing::Test {};
TYPED_TEST_SUITE(ByteGemmTest, TypedIsas, IsaNames);

TYPED_TEST(ByteGemmTest, CodesAreTheNearestSteps) {
  using V = TypeParam;
  MadeUpNumbers numbers(1);
  for (const size_t k : {1U, 2U, 5U, 8U, 9U, 31U, 384U}) {
    std::vector<float> rows = numbers.floats(3 * k, 5.0F);
    for (size_t i = k; i < 2 * k; ++i) rows[i] += 100.0F;  // far from 0
    const Coded<V> coded(rows, k);
    for (size_t row = 0; row < 3; ++row) {
      const auto first = rows.begin() + static_cast<ptrdiff_t>(row * k);
      const auto [least, greatest] = std::minmax_element(first, first + static_cast<ptrdiff_t>(k));
      const float size = std::max(std::abs(*greatest), std::abs(*least));
      double sum = 0;
      for (size_t i = 0; i < k; ++i) {
        EXPECT_NEAR(coded.at(row, i), rows[row * k + i], 0.5001 * size / 8191 + 1e-5)
            << k << ' ' << row << ' ' << i;
      }
      for (size_t i = 0; i < coded.view.stride; ++i)
        sum += coded.codes[row * coded.view.stride + i];
      EXPECT_EQ(coded.units[row].sum, sum);
    }
  }
}

TYPED_TEST(ByteGemmTest, SmallAndConstantRowsKeepTheirNumber) {
  using V = TypeParam;
  for (const float value : {0.0F, -0.0F, 1e-42F, -3.5F, 2e30F}) {
    const Coded<V> coded(std::vector<float>(11, value), 11);
    for (size_t i = 0; i < 11; ++i)
      EXPECT_NEAR(coded.at(0, i), value, std::abs(value) * 1e-4 + 1e-38);
  }
}

// Σ of what the codes stand for times the weight: only the last roundings differ.
TYPED_TEST(ByteGemmTest, MultipliesWhatTheCodesStandFor) {
  using V = TypeParam;
  MadeUpNumbers numbers(2);
  for (size_t m = 1; m <= 13; ++m) {
    for (const size_t n : {1U, 7U, 8U, 12U, 17U}) {
      const size_t k = 1 + m * n % 27;
      const ByteWeight weight(n, k, numbers);
      const Coded<V> rows(numbers.floats(m * k), k);
      const std::vector<float> bias = numbers.floats(n_panels(n) * kPanelColumns);
      std::vector<float> c(m * (n + 2), -99.0F);
      gemm<V>(rows.view, weight.packed(), c.data(), n + 2, Bias{bias.data()});
      for (size_t row = 0; row < m; ++row) {
        for (size_t j = 0; j < n; ++j) {
          double sum = bias[j];
          double size = std::abs(sum);
          for (size_t i = 0; i < k; ++i) {
            sum += rows.at(row, i) * weight.at(j, i);
            size += 256.0 * std::abs(double{weight.scales[j]});
          }
          EXPECT_NEAR(c[row * (n + 2) + j], sum, 1e-6 * size) << m << 'x' << n << 'x' << k;
        }
        EXPECT_EQ(c[row * (n + 2) + n], -99.0F);
      }
    }
  }
}

// Where sums could pass 32 bits, or engines could saturate.
TYPED_TEST(ByteGemmTest, AddsUpTheLongestRows) {
  using V = TypeParam;
  const auto k = static_cast<size_t>(kMaxByteColumns);
  std::vector<float> x(k, 1.0F);
  x[0] = 0.0F;
  const Coded<V> rows(x, k);
  for (const int8_t code : {int8_t{-128}, int8_t{127}}) {
    const std::vector<int8_t> codes(k, code);
    const std::vector<float> one = {1.0F};
    const std::vector<float> none = {0.0F};
    const ByteMatrix weight = ByteMatrix::pack(codes.data(), 1, k, one, none).value();
    float c = 0;
    gemm<V>(rows.view, weight, &c, 1, Scale{1.0F});
    EXPECT_NEAR(c, code * double(k - 1), 1e-6 * 128 * double(k));
  }
}

TYPED_TEST(ByteGemmTest, ARowsResultDoesNotDependOnTheOtherRows) {
  using V = TypeParam;
  MadeUpNumbers numbers(3);
  constexpr size_t n = 19;
  constexpr size_t k = 70;
  const ByteMatrix weight = ByteWeight(n, k, numbers).packed();
  const std::vector<float> a = numbers.floats(23 * k);
  std::vector<float> together(23 * n);
  gemm<V>(Coded<V>(a, k).view, weight, together.data(), n, Scale{1.0F});
  for (size_t row = 0; row < 23; ++row) {
    const std::vector<float> x(&a[row * k], &a[row * k] + k);
    std::vector<float> alone(n);
    gemm<V>(Coded<V>(x, k).view, weight, alone.data(), n, Scale{1.0F});
    for (size_t j = 0; j < n; ++j) EXPECT_EQ(alone[j], together[row * n + j]);
  }
}

TYPED_TEST(ByteGemmTest, WhatIsNotFiniteStaysInItsRow) {
  using V = TypeParam;
  constexpr size_t k = 9;
  const std::vector<int8_t> codes(10 * k, 1);
  const std::vector<float> scales(10, 1.0F);
  const std::vector<float> zero_points(10, 0.0F);
  const ByteMatrix weight = ByteMatrix::pack(codes.data(), 10, k, scales, zero_points).value();
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (size_t place = 0; place < k; ++place) {
      std::vector<float> a(3 * k, 0.5F);
      a[k + place] = bad;
      std::vector<float> c(3 * 10);
      gemm<V>(Coded<V>(a, k).view, weight, c.data(), 10, Scale{1.0F});
      for (size_t i = 0; i < c.size(); ++i) {
        if (i / 10 == 1) {
          EXPECT_TRUE(std::isnan(c[i]));
        } else {
          EXPECT_NEAR(c[i], 4.5F, 1e-3);
        }
      }
    }
  }
}

TEST(ByteMatrix, TellsWhatItHolds) {
  MadeUpNumbers numbers(4);
  const ByteMatrix weight = ByteWeight(9, 12, numbers).packed();
  EXPECT_EQ(weight.n(), 9U);
  EXPECT_EQ(weight.k(), 12U);
  EXPECT_EQ(weight.bytes(), 2U * 8 * 16 + 2U * 8 * 2 * sizeof(float));
}

}  // namespace
}  // namespace ambry::kernels
