#include "kernels/gemm/super_blocks/packed_super_blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/half.h"
#include "kernels/gemm/k_quants.h"
#include "kernels/gemm/weight_matrix.h"
#include "kernels/relaxed_dot_machines.h"
#include "kernels/test_random.h"
#include "simd/all_isas.h"
#include "tensor/codec/blocks/grid_blocks.h"
#include "tensor/codec/reference_blocks.h"

namespace ambry::kernels {
namespace {

using tensor::DType;

constexpr ActivationPrecision kIntegerPrecisions[] = {ActivationPrecision::Int14,
                                                      ActivationPrecision::Int8};

Result<WeightMatrix> pack_super_blocks(const KQuantMatrix& from,
                                       ActivationPrecision precision = ActivationPrecision::Int8) {
  AMBRY_TRY(AlignedBuffer bytes, AlignedBuffer::allocate(from.payload.size()));
  std::ranges::copy(from.payload, bytes.data());
  return WeightMatrix::create(from.dtype, std::nullopt, from.rows, from.cols, false,
                              std::move(bytes), precision);
}

template <class V>
std::vector<float> super_block_product(const WeightMatrix& matrix, std::span<const float> x) {
  const size_t n = x.size() / matrix.cols();
  std::vector<float> y(n * matrix.rows(), -99.0F);
  std::vector<float> scratch(matrix.scratch_floats(n));
  matrix.multiply<V>(x.data(), n, y.data(), scratch);
  return y;
}

// The largest code of x: sums of 256 products with the type's largest scale and code fit 32 bits.
int largest_code(DType dtype, ActivationPrecision precision) {
  if (precision == ActivationPrecision::Int8) return 127;
  switch (dtype) {
    case DType::Q5_K:
      return INT32_MAX / (256 * 63 * 31);
    case DType::Q6_K:
      return INT32_MAX / (256 * 128 * 32);
    case DType::IQ4_XS:
      return INT32_MAX / (256 * 32 * 127);
    case DType::IQ2_XS:
    case DType::IQ3_XXS:
    case DType::IQ3_S:
    case DType::IQ1_S:
      return INT32_MAX / (256 * 31 * 62);
    default:
      return 8191;
  }
}

// Integers that are their own codes, because every 256 of them have the largest code.
std::vector<float> integer_codes(size_t n, int largest) {
  TestRandom random(n);
  std::vector<float> x(n);
  for (float& value : x) value = std::round(random.next() * static_cast<float>(largest));
  for (size_t i = 0; i < n; i += 256) {
    x[i + random.bits() % 256] = static_cast<float>(i % 512 == 0 ? largest : -largest);
  }
  return x;
}

// `rounding`: the largest error of an element of x.
void expect_super_block_product(const KQuantMatrix& weight, std::span<const float> x,
                                std::span<const float> y, double rounding) {
  for (size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    double error = 0;
    for (size_t k = 0; k < weight.cols; ++k) {
      const KQuantValue w = weight.at(i % weight.rows, k);
      const double of_x = x[i / weight.rows * weight.cols + k];
      sum += of_x * w.value;
      error += 1e-6 * std::abs(of_x) * w.magnitude + rounding * std::abs(w.value);
    }
    ASSERT_NEAR(y[i], sum, error) << tensor::dtype_name(weight.dtype) << " " << weight.rows << "x"
                                  << weight.cols << ", n " << y.size() / weight.rows << ", at "
                                  << i;
  }
}

template <class Machine>
class PackedSuperBlocksTest : public MachineTest<Machine> {};
TYPED_TEST_SUITE(PackedSuperBlocksTest, TypedMachines, IsaNames);

TYPED_TEST(PackedSuperBlocksTest, MultipliesIntegersExactly) {
  for (const DType dtype : kKQuants) {
    for (const auto& [rows, cols] : {std::pair<size_t, size_t>{8, 256}, {13, 512}}) {
      const KQuantMatrix weight = random_k_quants(dtype, rows, cols);
      for (const ActivationPrecision precision : kIntegerPrecisions) {
        const auto matrix = pack_super_blocks(weight, precision);
        ASSERT_TRUE(matrix) << describe(matrix.error());
        for (const size_t n : {1U, 5U, 6U, 7U, 33U}) {
          const std::vector<float> x = integer_codes(n * cols, largest_code(dtype, precision));
          expect_super_block_product(weight, x,
                                     super_block_product<typename TestFixture::V>(*matrix, x), 0);
        }
      }
    }
  }
}

TYPED_TEST(PackedSuperBlocksTest, RoundsFloatsToTheNearestCode) {
  TestRandom random(5);
  for (const DType dtype : kKQuants) {
    const KQuantMatrix weight = random_k_quants(dtype, 9, 768);
    for (const ActivationPrecision precision : kIntegerPrecisions) {
      const auto matrix = pack_super_blocks(weight, precision);
      ASSERT_TRUE(matrix);
      for (const size_t n : {1U, 8U}) {
        const std::vector<float> x = random.floats(n * weight.cols, 3.0F);
        expect_super_block_product(weight, x,
                                   super_block_product<typename TestFixture::V>(*matrix, x),
                                   3.0 / (2 * largest_code(dtype, precision)));
      }
    }
  }
}

TYPED_TEST(PackedSuperBlocksTest, ExtremeNumbersDoNotOverflow) {
  for (const DType dtype : kKQuants) {
    for (const int byte : {0x00, 0x0F, 0x7F, 0x80, 0xF0, 0xFF}) {
      const KQuantMatrix weight = uniform_k_quants(dtype, 8, 512, static_cast<uint8_t>(byte));
      for (const ActivationPrecision precision : kIntegerPrecisions) {
        const auto matrix = pack_super_blocks(weight, precision);
        ASSERT_TRUE(matrix);
        const auto largest = static_cast<float>(largest_code(dtype, precision));
        for (const size_t n : {1U, 6U}) {
          for (const float value : {largest, -largest}) {
            const std::vector<float> x(n * weight.cols, value);
            expect_super_block_product(weight, x,
                                       super_block_product<typename TestFixture::V>(*matrix, x), 0);
          }
        }
      }
    }
  }
}

// The largest product is -128 * -32, which needs scales and codes of different bytes.
TYPED_TEST(PackedSuperBlocksTest, MultipliesTheLowestNumbersOfQ6) {
  KQuantMatrix weight = uniform_k_quants(DType::Q6_K, 8, 512, 0);
  for (size_t r = 0; r < 8; ++r) {
    for (const size_t b : {0U, 1U}) std::fill_n(weight.block(r, b) + 192, 16, uint8_t{0x80});
  }
  for (const ActivationPrecision precision : kIntegerPrecisions) {
    const auto matrix = pack_super_blocks(weight, precision);
    ASSERT_TRUE(matrix);
    const auto largest = static_cast<float>(largest_code(DType::Q6_K, precision));
    for (const size_t n : {1U, 6U}) {
      const std::vector<float> x(n * weight.cols, -largest);
      expect_super_block_product(weight, x,
                                 super_block_product<typename TestFixture::V>(*matrix, x), 0);
    }
  }
}

TYPED_TEST(PackedSuperBlocksTest, HasTheSameBitsWhateverComputesThem) {
  TestRandom random(6);
  for (const DType dtype : kKQuants) {
    const KQuantMatrix weight = random_k_quants(dtype, 11, 512);
    for (const ActivationPrecision precision : kIntegerPrecisions) {
      const auto matrix = pack_super_blocks(weight, precision);
      ASSERT_TRUE(matrix);
      const std::vector<float> x = random.floats(40 * weight.cols);
      const std::vector<float> together = super_block_product<typename TestFixture::V>(*matrix, x);
      EXPECT_EQ(together, super_block_product<simd::Scalar>(*matrix, x))
          << tensor::dtype_name(dtype);
      for (const size_t n : {1U, 2U, 4U, 5U}) {
        const auto some = std::span(x).subspan(3 * weight.cols, n * weight.cols);
        const std::vector<float> alone =
            super_block_product<typename TestFixture::V>(*matrix, some);
        for (size_t i = 0; i < alone.size(); ++i) {
          EXPECT_EQ(alone[i], together[3 * weight.rows + i]) << tensor::dtype_name(dtype);
        }
      }
    }
  }
}

TYPED_TEST(PackedSuperBlocksTest, NanStaysInItsRow) {
  for (const DType dtype : kKQuants) {
    KQuantMatrix weight = random_k_quants(dtype, 9, 512);
    store_le<uint16_t>(weight.block(4, 1) + place_of_d(dtype), 0x7E00);
    for (const ActivationPrecision precision : kIntegerPrecisions) {
      const auto matrix = pack_super_blocks(weight, precision);
      ASSERT_TRUE(matrix);
      for (const size_t n : {2U, 8U}) {
        std::vector<float> x(n * weight.cols, 1.0F);
        x[weight.cols + 7] = std::numeric_limits<float>::infinity();
        const std::vector<float> y = super_block_product<typename TestFixture::V>(*matrix, x);
        for (size_t i = 0; i < y.size(); ++i) {
          const bool bad = i / weight.rows == 1 || i % weight.rows == 4;
          EXPECT_EQ(std::isnan(y[i]), bad) << tensor::dtype_name(dtype) << " at " << i;
        }
      }
    }
  }
}

TYPED_TEST(PackedSuperBlocksTest, ZeroScalesGiveZero) {
  for (const DType dtype : kKQuants) {
    KQuantMatrix weight = random_k_quants(dtype, 8, 256);
    weight.set_scales(0, 0);
    const auto matrix = pack_super_blocks(weight);
    ASSERT_TRUE(matrix);
    for (const size_t n : {1U, 6U}) {
      const std::vector<float> x(n * weight.cols, 1.0F);
      for (const float sum : super_block_product<typename TestFixture::V>(*matrix, x))
        EXPECT_EQ(sum, 0.0F);
    }
  }
}

TEST(PackedSuperBlockRow, IsWhatTheReferenceDecodes) {
  for (const DType dtype : kKQuants) {
    const KQuantMatrix weight = random_k_quants(dtype, 13, 512);
    const auto matrix = pack_super_blocks(weight);
    ASSERT_TRUE(matrix);
    std::vector<float> row(weight.cols);
    for (size_t r = 0; r < weight.rows; ++r) {
      matrix->row(r, row.data());
      for (size_t k = 0; k < weight.cols; ++k) {
        EXPECT_EQ(row[k], weight.at(r, k).reference) << tensor::dtype_name(dtype);
      }
    }
  }
}

TEST(PackedSuperBlockRow, IsWhatTheReferenceDecodesOfEveryGrid) {
  for (const DType dtype : {DType::IQ1_S, DType::IQ1_M, DType::IQ2_XXS, DType::IQ2_XS, DType::IQ2_S,
                            DType::IQ3_XXS, DType::IQ3_S}) {
    const KQuantMatrix weight{dtype, 13, 512, tensor::testing::random_blocks(dtype, 26, 8)};
    const auto matrix = pack_super_blocks(weight);
    ASSERT_TRUE(matrix);
    // 4 bits for a code, 8 for the scale of 16 codes, and a float for 256.
    EXPECT_EQ(matrix->bytes(), 16 * 512 / 8 * 37 / 8);
    std::vector<float> row(weight.cols);
    for (size_t r = 0; r < weight.rows; ++r) {
      matrix->row(r, row.data());
      for (size_t k = 0; k < weight.cols; ++k) {
        ASSERT_EQ(row[k], weight.at(r, k).reference) << tensor::dtype_name(dtype);
      }
    }
  }
}

TEST(PackedSuperBlockBytes, AreFewMoreThanThoseOfTheFile) {
  for (const DType dtype : kKQuants) {
    if (tensor::grid_numbers(dtype) != nullptr) continue;
    for (const auto& [rows, filled] : {std::pair<size_t, size_t>{16, 16}, {13, 16}}) {
      const KQuantMatrix weight = random_k_quants(dtype, rows, 512);
      const auto matrix = pack_super_blocks(weight);
      ASSERT_TRUE(matrix);
      const size_t whole = weight.payload.size() / rows * filled;
      EXPECT_GT(matrix->bytes(), whole);
      EXPECT_LE(matrix->bytes(), whole * 106 / 100) << tensor::dtype_name(dtype);
      EXPECT_EQ(
          WeightMatrix::bytes_of(dtype, std::nullopt, rows, 512, false, weight.payload.size()),
          matrix->bytes());
    }
  }
}

TEST(PackedSuperBlockPayload, MustFitTheShape) {
  for (const DType dtype : kKQuants) {
    KQuantMatrix weight = random_k_quants(dtype, 8, 512);
    weight.payload.pop_back();
    const auto matrix = pack_super_blocks(weight);
    ASSERT_FALSE(matrix);
    EXPECT_EQ(matrix.error().code, ErrorCode::Mismatch);
    EXPECT_EQ(matrix.error().path, "data");
  }
}

}  // namespace
}  // namespace ambry::kernels
