#include "kernels/gemm/int8_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/relaxed_dot_machines.h"
#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

// An int8 weight [n, k] with random codes, scales and zero points.
struct Int8Weight {
  std::vector<int8_t> codes;
  std::vector<float> scales;
  std::vector<float> zero_points;
  size_t k;

  Int8Weight(size_t n, size_t k, TestRandom& random)
      : codes(n * k), scales(random.floats(n)), zero_points(n), k(k) {
    for (int8_t& x : codes) x = static_cast<int8_t>(random.bits() & 0xFF);
    for (float& x : zero_points) x = std::floor(random.next() * 100.0F);
  }
  [[nodiscard]] double at(size_t output, size_t i) const {
    return (codes[output * k + i] - double{zero_points[output]}) * double{scales[output]};
  }
  [[nodiscard]] PackedInt8Weights packed() const {
    return PackedInt8Weights::pack(codes.data(), scales.size(), k, scales, zero_points).value();
  }
};

// Quantized rows and their dequantized values.
template <class V>
struct Quantized {
  std::vector<float> memory;
  QuantizedActivations<V> view;
  size_t k;
  std::vector<float> values;

  Quantized(const std::vector<float>& rows, size_t k)
      : memory(quantized_activation_floats(rows.size() / k, k), 1e9F),
        view(memory.data(), rows.size() / k, k),
        k(k),
        values(rows.size()) {
    view.template quantize<V>(rows.data());
    if (k < 1000) int8_gemm<V>(view, identity(), values.data(), k, Scale{1.0F});
  }
  [[nodiscard]] double at(size_t row, size_t i) const { return double{values[row * k + i]}; }

 private:
  [[nodiscard]] PackedInt8Weights identity() const {
    std::vector<int8_t> codes(k * k);
    for (size_t i = 0; i < k; ++i) codes[i * (k + 1)] = 1;
    const std::vector<float> ones(k, 1.0F);
    const std::vector<float> zeros(k, 0.0F);
    return PackedInt8Weights::pack(codes.data(), k, k, ones, zeros).value();
  }
};

// The step of a row's codes (clip_range.h).
double step_of(const float* row, size_t k) {
  double least = 0;
  double greatest = 0;
  double squares = 0;
  for (size_t i = 0; i < k; ++i) {
    least = std::min(least, double{row[i]});
    greatest = std::max(greatest, double{row[i]});
    squares += double{row[i]} * row[i];
  }
  return std::min(greatest - least, 7 * std::sqrt(squares / static_cast<double>(k))) / 127;
}

template <class Machine>
class Int8GemmTest : public MachineTest<Machine> {};
TYPED_TEST_SUITE(Int8GemmTest, TypedMachines, IsaNames);

TEST(RelaxedDotProbeTest, RecognizesTheMachine) {
  for (const auto machine :
       {RelaxedDotOperand::Unsigned, RelaxedDotOperand::Signed, RelaxedDotOperand::SevenBits}) {
    EmulatedRelaxed::machine = machine;
    EXPECT_EQ(probe_relaxed_dot<EmulatedRelaxed>(), machine);
  }
}

template <class V>
void expect_nearest_steps(const std::vector<float>& rows, size_t k) {
  const Quantized<V> quantized(rows, k);
  for (size_t row = 0; row < rows.size() / k; ++row) {
    const float* values = &rows[row * k];
    const double step = step_of(values, k);
    for (size_t i = 0; i < k; ++i) {
      const double slack = 1e-6 * std::abs(double{values[i]}) + 1e-4 * step;
      ASSERT_NEAR(quantized.at(row, i), values[i], 0.5 * step + slack)
          << k << ' ' << row << ' ' << i;
    }
  }
}

TYPED_TEST(Int8GemmTest, QuantizesToTheNearestStep) {
  TestRandom random(1);
  for (const size_t k : {1U, 2U, 5U, 8U, 9U, 31U, 384U}) {
    std::vector<float> rows = random.floats(4 * k, 5.0F);
    for (size_t i = k; i < 2 * k; ++i) rows[i] += 100.0F;  // far from 0
    for (size_t i = 2 * k; i < 3 * k; ++i) rows[i] -= 4.0F;
    expect_nearest_steps<typename TestFixture::V>(rows, k);
  }
}

// With few or many values that are far above or below the others.
TYPED_TEST(Int8GemmTest, OutliersDoNotCostTheOthersPrecision) {
  TestRandom random(5);
  constexpr size_t k = 203;
  for (const float size : {10.0F, 100.0F, 1e4F, 1e12F}) {
    for (size_t one_of = 1; one_of < 2 * k; one_of += 1 + one_of / 4) {
      std::vector<float> rows = random.floats(3 * k);
      for (size_t i = 0; i < rows.size(); ++i) {
        const float sign = i / k == 0 ? 1.0F : i / k == 1 ? -1.0F : random.next();
        if (random.bits() % one_of == 0) rows[i] = size * sign;
      }
      expect_nearest_steps<typename TestFixture::V>(rows, k);
    }
  }
}

TYPED_TEST(Int8GemmTest, KeepsSmallAndConstantRows) {
  using V = typename TestFixture::V;
  for (const float value : {0.0F, -0.0F, 1e-42F, -3.5F, 2e30F}) {
    const Quantized<V> quantized(std::vector<float>(11, value), 11);
    for (size_t i = 0; i < 11; ++i)
      EXPECT_NEAR(quantized.at(0, i), value, std::abs(value) * 1e-4 + 1e-36);
  }
}

// Only the last roundings may differ.
TYPED_TEST(Int8GemmTest, EqualsTheProductOfTheDequantizedValues) {
  using V = typename TestFixture::V;
  TestRandom random(2);
  for (size_t m = 1; m <= 13; ++m) {
    for (const size_t n : {1U, 7U, 8U, 12U, 17U}) {
      const size_t k = 1 + m * n % 27;
      const Int8Weight weight(n, k, random);
      const Quantized<V> rows(random.floats(m * k), k);
      const std::vector<float> bias = random.floats(n_panels(n) * kPanelColumns);
      std::vector<float> c(m * (n + 2), -99.0F);
      int8_gemm<V>(rows.view, weight.packed(), c.data(), n + 2, Bias{bias.data()});
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

// Whatever this machine's byte products do with larger codes.
TYPED_TEST(Int8GemmTest, ProductsOfTheLargestCodesAreExact) {
  using V = typename TestFixture::V;
  if constexpr (V::kFastInt8Dot) {
    TestRandom random(6);
    for (int trial = 0; trial < 1000; ++trial) {
      int8_t weights[4 * V::kLanes];
      uint8_t codes[4 * V::kLanes];
      int32_t expected = 0;
      for (size_t i = 0; i < sizeof(codes); ++i) {
        const uint64_t bits = random.bits();
        weights[i] = static_cast<int8_t>(trial % 2 == 0  ? bits & 0xFF
                                         : bits % 2 == 0 ? 0x7F
                                                         : 0x80);
        codes[i] = static_cast<uint8_t>(trial % 4 < 2 ? bits >> 8 & 0x7F : 0x7F);
        expected += weights[i] * codes[i];
      }
      const auto sums =
          V::add_dot_i8x4(V::load_i8x4(weights), V::load_i8x4(codes), V::splat_i32(0));
      ASSERT_EQ(V::reduce_add_i32(sums), expected) << trial;
    }
  }
}

// C for rows whose few large values are outliers.
template <class V>
std::vector<float> product_with_outliers(size_t k) {
  TestRandom random(7);
  constexpr size_t m = 7;
  constexpr size_t n = 12;
  const PackedInt8Weights weight = Int8Weight(n, k, random).packed();
  std::vector<float> a = random.floats(m * k);
  for (float& x : a) {
    if (random.bits() % 20 == 0) x *= 9.0F;
  }
  // The first row has two values only, which are 128 steps apart when they are rounded.
  for (size_t i = 0; i < k; ++i) a[i] = i % 3 == 0 ? 1.0F : -1.0F;
  std::vector<float> c(m * n);
  int8_gemm<V>(Quantized<V>(a, k).view, weight, c.data(), n, Scale{1.0F});
  return c;
}

// In bytes or in pairs, and on every machine. Scalar sums the squares in another order.
TYPED_TEST(Int8GemmTest, GivesTheSameBitsOnEveryMachine) {
  using V = typename TestFixture::V;
  if constexpr (V::kLanes == simd::Baseline::kLanes) {
    for (const size_t k : {3U, 64U, 387U}) {
      EXPECT_EQ(product_with_outliers<V>(k), product_with_outliers<simd::Baseline>(k)) << k;
    }
  }
}

// Sums near 32 bits, where engines could also saturate.
TYPED_TEST(Int8GemmTest, AddsUpTheLongestRows) {
  using V = typename TestFixture::V;
  const auto k = static_cast<size_t>(kMaxInt8Columns);
  std::vector<float> x(k, 1.0F);
  x[0] = 0.0F;
  const Quantized<V> rows(x, k);
  for (const int8_t code : {int8_t{-128}, int8_t{127}}) {
    const std::vector<int8_t> codes(k, code);
    const std::vector<float> one = {1.0F};
    const std::vector<float> none = {0.0F};
    const PackedInt8Weights weight = PackedInt8Weights::pack(codes.data(), 1, k, one, none).value();
    float c = 0;
    int8_gemm<V>(rows.view, weight, &c, 1, Scale{1.0F});
    EXPECT_NEAR(c, code * double(k - 1), 1e-6 * 128 * double(k));
  }
}

TYPED_TEST(Int8GemmTest, ARowsResultDoesNotDependOnTheOtherRows) {
  using V = typename TestFixture::V;
  TestRandom random(3);
  constexpr size_t n = 19;
  constexpr size_t k = 70;
  const PackedInt8Weights weight = Int8Weight(n, k, random).packed();
  const std::vector<float> a = random.floats(23 * k);
  std::vector<float> together(23 * n);
  int8_gemm<V>(Quantized<V>(a, k).view, weight, together.data(), n, Scale{1.0F});
  for (size_t row = 0; row < 23; ++row) {
    const std::vector<float> x(&a[row * k], &a[row * k] + k);
    std::vector<float> alone(n);
    int8_gemm<V>(Quantized<V>(x, k).view, weight, alone.data(), n, Scale{1.0F});
    for (size_t j = 0; j < n; ++j) EXPECT_EQ(alone[j], together[row * n + j]);
  }
}

TYPED_TEST(Int8GemmTest, NonFiniteValuesStayInTheirRow) {
  using V = typename TestFixture::V;
  constexpr size_t k = 9;
  const std::vector<int8_t> codes(10 * k, 1);
  const std::vector<float> scales(10, 1.0F);
  const std::vector<float> zero_points(10, 0.0F);
  const PackedInt8Weights weight =
      PackedInt8Weights::pack(codes.data(), 10, k, scales, zero_points).value();
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (size_t place = 0; place < k; ++place) {
      std::vector<float> a(3 * k, 0.5F);
      a[k + place] = bad;
      std::vector<float> c(3 * 10);
      int8_gemm<V>(Quantized<V>(a, k).view, weight, c.data(), 10, Scale{1.0F});
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

TEST(PackedInt8Weights, ReportsItsSizes) {
  TestRandom random(4);
  const PackedInt8Weights weight = Int8Weight(9, 12, random).packed();
  EXPECT_EQ(weight.n(), 9U);
  EXPECT_EQ(weight.k(), 12U);
  EXPECT_EQ(weight.bytes(), 2U * 8 * 16 + 2U * 8 * 3 * sizeof(float));
}

}  // namespace
}  // namespace ambry::kernels
