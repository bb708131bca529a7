// Products of group-quantized weights that have a minimum beside each scale.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/gemm/weight_matrix.h"
#include "kernels/relaxed_dot_machines.h"
#include "kernels/test_random.h"
#include "tensor/codec/with_minima.h"

namespace ambry::kernels {
namespace {

using tensor::DType;

struct MinimaShape {
  DType dtype;
  size_t rows, cols;
  uint16_t block;
};

// The last two have no integer form: their groups are too short.
const MinimaShape kShapes[] = {
    {DType::Int4Block, 16, 128, 64},  {DType::Int4Block, 9, 96, 32},
    {DType::Int4Block, 11, 512, 128}, {DType::Int5Block, 9, 64, 32},
    {DType::Int8, 17, 96, 32},        {DType::Int8, 8, 256, 128},
    {DType::Int4Block, 8, 24, 12},    {DType::Int8, 5, 40, 8},
};

struct Matrix {
  WeightMatrix weights;
  tensor::WithMinima made;
};

Matrix matrix_of(const MinimaShape& c, ActivationPrecision precision) {
  Matrix matrix{{}, tensor::with_minima(c.dtype, {c.rows, c.cols}, c.block, DType::F16)};
  const tensor::Encoded& encoded = matrix.made.encoded;
  auto bytes = AlignedBuffer::allocate(encoded.payload.size());
  std::ranges::copy(encoded.payload, bytes->data());
  auto created = WeightMatrix::create(c.dtype, encoded.quantization, c.rows, c.cols, false,
                                      std::move(*bytes), precision);
  EXPECT_TRUE(created) << describe(created.error());
  EXPECT_EQ(created->bytes(), WeightMatrix::bytes_of(c.dtype, encoded.quantization, c.rows, c.cols,
                                                     false, encoded.payload.size(), precision));
  matrix.weights = std::move(*created);
  return matrix;
}

template <class V>
std::vector<float> multiplied(const WeightMatrix& matrix, std::span<const float> x) {
  const size_t n = x.size() / matrix.cols();
  std::vector<float> y(n * matrix.rows(), -99.0F);
  std::vector<float> scratch(matrix.scratch_floats(n));
  for (size_t panel = 0; panel < n_panels(matrix.rows()); ++panel) {
    matrix.multiply<V>(x.data(), n, y.data(), scratch, {panel, panel + 1});
  }
  return y;
}

double most_rounding(ActivationPrecision precision) {
  if (precision == ActivationPrecision::F32) return 0;
  return precision == ActivationPrecision::Int14 ? 3.0 / 16382 : 3.0 / 254;
}

constexpr ActivationPrecision kAll[] = {ActivationPrecision::F32, ActivationPrecision::Int14,
                                        ActivationPrecision::Int8};

template <class Machine>
class GroupMinima : public MachineTest<Machine> {};
TYPED_TEST_SUITE(GroupMinima, TypedMachines, IsaNames);

TYPED_TEST(GroupMinima, AreMultipliedByTheSumsOfTheirGroups) {
  for (const MinimaShape& c : kShapes) {
    for (const ActivationPrecision precision : kAll) {
      const Matrix matrix = matrix_of(c, precision);
      for (const size_t n : {1U, 2U, 13U}) {
        TestRandom random(n);
        const std::vector<float> x = random.floats(n * c.cols, 3.0F);
        const std::vector<float> y = multiplied<typename TestFixture::V>(matrix.weights, x);
        for (size_t i = 0; i < y.size(); ++i) {
          double sum = 0;
          double error = 0;
          for (size_t k = 0; k < c.cols; ++k) {
            const size_t at = i % c.rows * c.cols + k;
            const double from = double{x[i / c.rows * c.cols + k]};
            sum += from * matrix.made.values[at];
            error += 1e-6 * std::abs(from) * matrix.made.largest[at] +
                     most_rounding(precision) * std::abs(matrix.made.values[at]);
          }
          EXPECT_NEAR(y[i], sum, error)
              << tensor::dtype_name(c.dtype) << " " << c.cols << " n " << n << " at " << i;
        }
      }
    }
  }
}

TYPED_TEST(GroupMinima, HaveTheSameBitsInEveryIsaAndBesideOtherRows) {
  TestRandom random(4);
  for (const MinimaShape& c : kShapes) {
    if (!PackedGroupWeights::supports(c.dtype, c.block, c.cols)) continue;
    for (const ActivationPrecision precision :
         {ActivationPrecision::Int14, ActivationPrecision::Int8}) {
      const Matrix matrix = matrix_of(c, precision);
      const std::vector<float> x = random.floats(11 * c.cols);
      const auto together = multiplied<typename TestFixture::V>(matrix.weights, x);
      EXPECT_EQ(together, multiplied<simd::Scalar>(matrix.weights, x));
      for (size_t row = 0; row < 11; ++row) {
        const auto alone = multiplied<typename TestFixture::V>(
            matrix.weights, std::span(x).subspan(row * c.cols, c.cols));
        for (size_t j = 0; j < c.rows; ++j) EXPECT_EQ(alone[j], together[row * c.rows + j]);
      }
    }
  }
}

TEST(GroupMinimaRow, IsTheStoredRow) {
  for (const MinimaShape& c : kShapes) {
    const Matrix matrix = matrix_of(c, ActivationPrecision::Int8);
    std::vector<float> row(c.cols);
    for (size_t r = 0; r < c.rows; ++r) {
      matrix.weights.row(r, row.data());
      for (size_t k = 0; k < c.cols; ++k) {
        const size_t at = r * c.cols + k;
        EXPECT_NEAR(row[k], matrix.made.values[at], 1e-6 * matrix.made.largest[at]);
      }
    }
  }
}

}  // namespace
}  // namespace ambry::kernels
