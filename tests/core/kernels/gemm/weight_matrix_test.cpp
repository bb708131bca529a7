#include "kernels/gemm/weight_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/gemm/stored_matrix.h"
#include "kernels/relaxed_dot_machines.h"
#include "kernels/test_random.h"
#include "simd/all_isas.h"
#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/blocks/grid_blocks.h"
#include "tensor/codec/decode_payload.h"
#include "tensor/codec/reference_blocks.h"
#include "tensor/dtype/convert.h"

namespace ambry::kernels {
namespace {

using tensor::DType;

constexpr ActivationPrecision kPrecisions[] = {ActivationPrecision::F32, ActivationPrecision::Int14,
                                               ActivationPrecision::Int8};

struct Case {
  DType dtype;
  size_t rows, cols;
  uint16_t block;
};

// Sizes that are and are not multiples of panels, blocks and groups.
const Case kCases[] = {
    {DType::F32, 9, 5, 0},         {DType::F32, 16, 32, 0},       {DType::F16, 9, 7, 0},
    {DType::F16, 1, 1, 0},         {DType::BF16, 17, 40, 0},      {DType::Int8, 9, 37, 0},
    {DType::Int8, 7, 513, 512},    {DType::Int8, 16, 96, 96},     {DType::Int8, 11, 70, 32},
    {DType::Int8, 8, 640, 0},      {DType::Int4, 9, 33, 0},       {DType::Int4, 13, 64, 32},
    {DType::Int5, 9, 33, 0},       {DType::Int5, 5, 24, 8},       {DType::Int4Block, 16, 96, 32},
    {DType::Int4Block, 9, 45, 32}, {DType::Int4Block, 8, 24, 12}, {DType::Int4Block, 8, 256, 128},
    {DType::Int5Block, 9, 64, 32}, {DType::Int5Block, 3, 45, 8},  {DType::Adaptive, 17, 90, 8},
    {DType::Adaptive, 9, 64, 32},
};

template <class V>
std::vector<float> product(const WeightMatrix& matrix, std::span<const float> x) {
  const size_t n = x.size() / matrix.cols();
  std::vector<float> y(n * matrix.rows(), -99.0F);
  std::vector<float> scratch(matrix.scratch_floats(n));
  matrix.multiply<V>(x.data(), n, y.data(), scratch);
  return y;
}

// The largest error of an activation, relative to the largest activation.
double rounding_of(ActivationPrecision precision) {
  return precision == ActivationPrecision::F32
             ? 0.0
             : 1.0 / (precision == ActivationPrecision::Int14 ? 16382 : 254);
}

template <class V>
void expect_product(const Stored& stored, size_t n, ActivationPrecision precision) {
  const auto matrix = stored.matrix(precision);
  ASSERT_TRUE(matrix) << describe(matrix.error());
  TestRandom random(n);
  const std::vector<float> x = random.floats(n * stored.cols, 3.0F);
  const std::vector<float> y = product<V>(*matrix, x);
  const double rounding = 3.0 * rounding_of(precision);
  for (size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    double error = 0;
    for (size_t k = 0; k < stored.cols; ++k) {
      const double weight = stored.at(i % stored.rows, k);
      const double term = double{x[i / stored.rows * stored.cols + k]} * weight;
      sum += term;
      error += 1e-6 * std::abs(term) + rounding * std::abs(weight);
    }
    EXPECT_NEAR(y[i], sum, error) << dtype_name(stored.dtype) << " " << stored.rows << "x"
                                  << stored.cols << " n " << n << " at " << i;
  }
}

template <class Machine>
class WeightMatrixTest : public MachineTest<Machine> {};
TYPED_TEST_SUITE(WeightMatrixTest, TypedMachines, IsaNames);

TYPED_TEST(WeightMatrixTest, MultipliesEveryType) {
  for (const Case& c : kCases) {
    const Stored stored = store(c.dtype, c.rows, c.cols, c.block, false);
    for (const size_t n : {1U, 2U, 13U}) {
      for (const ActivationPrecision precision : kPrecisions)
        expect_product<typename TestFixture::V>(stored, n, precision);
    }
  }
}

TYPED_TEST(WeightMatrixTest, MultipliesEveryBlockTypeOfGgml) {
  for (const DType dtype : block_types()) {
    const Stored stored = store_blocks(dtype, 11, 2);
    for (const size_t n : {1U, 7U})
      expect_product<typename TestFixture::V>(stored, n, ActivationPrecision::Int8);
  }
}

// A power of two changes no other bit. Panels are multiplied alone, as threads do.
TYPED_TEST(WeightMatrixTest, MultipliesResultsByItsFactor) {
  for (const DType dtype : {DType::F16, DType::Q4_K, DType::NVFP4}) {
    const Stored stored =
        is_plain(dtype) ? store(dtype, 11, 512, 0, false) : store_blocks(dtype, 11, 2);
    auto matrix = stored.matrix(ActivationPrecision::Int8);
    ASSERT_TRUE(matrix) << describe(matrix.error());
    TestRandom random(3);
    const std::vector<float> x = random.floats(3 * stored.cols);
    const std::vector<float> plain = product<typename TestFixture::V>(*matrix, x);
    std::vector<float> scratch(matrix->scratch_floats(3));
    std::vector<float> plain_row(stored.cols);
    matrix->row(2, plain_row.data());
    matrix->set_factor(0.25F);
    std::vector<float> scaled(plain.size());
    for (size_t panel = 0; panel < n_panels(stored.rows); ++panel) {
      matrix->template multiply<typename TestFixture::V>(x.data(), 3, scaled.data(), scratch,
                                                         PanelRange{panel, panel + 1});
    }
    for (size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(scaled[i], plain[i] * 0.25F);
    std::vector<float> row(stored.cols);
    matrix->row(2, row.data());
    for (size_t k = 0; k < row.size(); ++k) EXPECT_EQ(row[k], plain_row[k] * 0.25F);
  }
}

TYPED_TEST(WeightMatrixTest, MultipliesTheTransposeOfEveryType) {
  for (const Case& c : kCases) {
    const Stored stored = store(c.dtype, c.rows, c.cols, c.block, true);
    for (const size_t n : {1U, 7U})
      expect_product<typename TestFixture::V>(stored, n, ActivationPrecision::F32);
  }
}

TYPED_TEST(WeightMatrixTest, ARowsBitsDoNotDependOnTheOtherRows) {
  TestRandom random(3);
  for (const Case& c : kCases) {
    const Stored stored = store(c.dtype, c.rows, c.cols, c.block, false);
    for (const ActivationPrecision precision : kPrecisions) {
      const auto matrix = stored.matrix(precision);
      ASSERT_TRUE(matrix);
      const std::vector<float> x = random.floats(150 * c.cols);
      const std::vector<float> together = product<typename TestFixture::V>(*matrix, x);
      for (const size_t row : {0U, 1U, 77U, 149U}) {
        const std::vector<float> alone =
            product<typename TestFixture::V>(*matrix, std::span(x).subspan(row * c.cols, c.cols));
        for (size_t j = 0; j < c.rows; ++j) EXPECT_EQ(alone[j], together[row * c.rows + j]);
      }
    }
  }
}

// Tiles of other sizes multiply the rows of drafts and of a few answers.
TYPED_TEST(WeightMatrixTest, AFewRowsHaveTheBitsOfMany) {
  TestRandom random(4);
  for (const Case& c : kCases) {
    const auto matrix = store(c.dtype, c.rows, c.cols, c.block, false).matrix(kPrecisions[0]);
    ASSERT_TRUE(matrix);
    const std::vector<float> x = random.floats(20 * c.cols);
    const std::vector<float> many = product<typename TestFixture::V>(*matrix, x);
    for (size_t n = 1; n <= 10; ++n) {
      const std::vector<float> few =
          product<typename TestFixture::V>(*matrix, std::span(x).first(n * c.cols));
      EXPECT_TRUE(std::ranges::equal(few, std::span(many).first(n * c.rows))) << n << " rows";
    }
  }
}

TYPED_TEST(WeightMatrixTest, IntegerProductsHaveTheSameBitsInEveryIsa) {
  TestRandom random(4);
  for (const Case& c : kCases) {
    if (!PackedGroupWeights::supports(c.dtype, c.block, c.cols)) continue;
    const Stored stored = store(c.dtype, c.rows, c.cols, c.block, false);
    for (const ActivationPrecision precision :
         {ActivationPrecision::Int14, ActivationPrecision::Int8}) {
      const auto matrix = stored.matrix(precision);
      ASSERT_TRUE(matrix);
      for (const size_t n : {1U, 5U, 6U, 11U}) {
        const std::vector<float> x = random.floats(n * c.cols);
        EXPECT_EQ(product<typename TestFixture::V>(*matrix, x), product<simd::Scalar>(*matrix, x));
      }
    }
  }
}

TYPED_TEST(WeightMatrixTest, ExtremeCodesDoNotOverflow) {
  for (const auto& [dtype, block] :
       {std::pair{DType::Int8, 256}, {DType::Int4Block, 256}, {DType::Int5Block, 128}}) {
    const std::vector<float> values(8 * 512, -8.0F);
    const auto how = static_cast<uint16_t>(block);
    const auto encoded = tensor::encode(dtype, {8, 512}, values, {.block_size = how});
    ASSERT_TRUE(encoded);
    const Stored stored{dtype, 8, 512, false, encoded->quantization, encoded->payload, {}};
    for (const ActivationPrecision precision :
         {ActivationPrecision::Int14, ActivationPrecision::Int8}) {
      const std::vector<float> y = product<typename TestFixture::V>(*stored.matrix(precision),
                                                                    std::vector<float>(512, 1.0F));
      for (const float sum : y) EXPECT_NEAR(sum, -8.0F * 512, 2.0F);
    }
  }
}

TYPED_TEST(WeightMatrixTest, TakesActivationsOfAnySize) {
  const auto matrix = store(DType::Int8, 8, 64, 32, false).matrix();
  ASSERT_TRUE(matrix);
  const std::vector<float> ones =
      product<typename TestFixture::V>(*matrix, std::vector<float>(64, 1.0F));
  for (const float size : {1e-44F, 1e-38F, 1e-30F, 1e30F}) {
    const std::vector<float> y =
        product<typename TestFixture::V>(*matrix, std::vector<float>(64, size));
    for (size_t i = 0; i < y.size(); ++i) {
      EXPECT_NEAR(y[i], ones[i] * size, std::max(1e-33F, size * 1e-3F)) << size;
    }
  }
}

TYPED_TEST(WeightMatrixTest, InfinityAndNanStayInTheirRow) {
  for (const Case& c : kCases) {
    const auto matrix = store(c.dtype, c.rows, c.cols, c.block, false).matrix();
    ASSERT_TRUE(matrix);
    std::vector<float> x(3 * c.cols, 1.0F);
    x[c.cols] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> y = product<typename TestFixture::V>(*matrix, x);
    for (size_t i = 0; i < y.size(); ++i) {
      EXPECT_EQ(std::isnan(y[i]), i / c.rows == 1) << dtype_name(c.dtype) << " at " << i;
    }
  }
}

TYPED_TEST(WeightMatrixTest, MultipliesNonFiniteF16) {
  Stored stored = store(DType::F16, 9, 7, 0, false);
  store_le<uint16_t>(&stored.payload[2 * (3 * 7 + 2)], 0xFC00);
  const auto matrix = stored.matrix();
  ASSERT_TRUE(matrix);
  const std::vector<float> y =
      product<typename TestFixture::V>(*matrix, std::vector<float>(7, 1.0F));
  for (size_t i = 0; i < y.size(); ++i) EXPECT_EQ(std::isinf(y[i]), i == 3);
}

TEST(WeightRowTest, EqualsTheStoredRow) {
  for (const Case& c : kCases) {
    for (const bool transposed : {false, true}) {
      const Stored stored = store(c.dtype, c.rows, c.cols, c.block, transposed);
      const auto matrix = stored.matrix();
      ASSERT_TRUE(matrix);
      std::vector<float> row(c.cols);
      for (size_t r = 0; r < c.rows; ++r) {
        matrix->row(r, row.data());
        for (size_t k = 0; k < c.cols; ++k) EXPECT_EQ(double{row[k]}, stored.at(r, k));
      }
    }
  }
}

TEST(WeightRowTest, EqualsTheRowOfBlocks) {
  for (const DType dtype : block_types()) {
    // Some types are packed in panels of eight rows; fewer rows are filled up.
    const Stored stored = store_blocks(dtype, 8, 2);
    const auto matrix = stored.matrix();
    ASSERT_TRUE(matrix);
    const size_t size = stored.payload.size();
    // Super-blocks are packed with wider numbers than the file has, and points of grids as codes.
    const size_t percent = tensor::block_of(dtype).elements == kSuperBlock ? 106 : 100;
    const bool grid = tensor::grid_numbers(dtype) != nullptr;
    const size_t most = grid ? stored.values.size() * 37 / 64 : size * percent / 100;
    EXPECT_GE(matrix->bytes(), size) << tensor::dtype_name(dtype);
    EXPECT_LE(matrix->bytes(), most) << tensor::dtype_name(dtype) << " is widened as a whole";
    std::vector<float> row(stored.cols);
    for (size_t r = 0; r < stored.rows; ++r) {
      matrix->row(r, row.data());
      for (size_t k = 0; k < row.size(); ++k) ASSERT_EQ(double{row[k]}, stored.at(r, k));
    }
  }
}

TEST(WeightMatrixBytes, AreNearTheStoredSize) {
  for (const DType dtype : {DType::F16, DType::Int8, DType::Int4Block, DType::Adaptive}) {
    const Stored stored = store(dtype, 64, 256, dtype == DType::F16 ? 0 : 32, false);
    const auto matrix = stored.matrix();
    ASSERT_TRUE(matrix);
    EXPECT_LE(matrix->bytes(), stored.payload.size() + stored.payload.size() / 8);
  }
}

TEST(WeightMatrixBytes, AreKnownBeforeThePayload) {
  for (const Case& c : kCases) {
    for (const bool transposed : {false, true}) {
      const Stored stored = store(c.dtype, c.rows, c.cols, c.block, transposed);
      for (const ActivationPrecision precision : kPrecisions) {
        const auto matrix = stored.matrix(precision);
        ASSERT_TRUE(matrix);
        EXPECT_EQ(WeightMatrix::bytes_of(c.dtype, stored.how, c.rows, c.cols, transposed,
                                         stored.payload.size(), precision),
                  matrix->bytes());
      }
    }
  }
}

void expect_error(const Stored& stored, ErrorCode code, const std::string& path) {
  const auto matrix = stored.matrix();
  ASSERT_FALSE(matrix);
  EXPECT_EQ(matrix.error().code, code);
  EXPECT_EQ(matrix.error().path, path);
}

TEST(WeightMatrixCreate, NamesTheFaultyField) {
  Stored stored = store(DType::Int8, 4, 8, 0, false);
  Stored bad = stored;
  bad.rows = 0;
  expect_error(bad, ErrorCode::BadValue, "shape");
  bad = stored;
  bad.cols = 9;
  expect_error(bad, ErrorCode::Mismatch, "data");
  bad = stored;
  bad.payload[5] = 0x7C;  // the scale, in f16
  expect_error(bad, ErrorCode::BadValue, "scales[0]");
  bad = stored;
  bad.dtype = DType::I32;
  expect_error(bad, ErrorCode::Unsupported, "dtype");
  bad = store(DType::Adaptive, 4, 8, 8, false);
  bad.payload[7] = 9;
  expect_error(bad, ErrorCode::BadValue, "mask[3]");
}

}  // namespace
}  // namespace ambry::kernels
