#include "search/ivf/sign_codes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/half.h"
#include "search/ivf/make_vectors.h"

namespace ambry::search {
namespace {

double product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

class RotationTest : public ::testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Dims, RotationTest, ::testing::Values(1, 100, 128, 336, 384, 1000));

TEST_P(RotationTest, KeepsProducts) {
  const uint32_t dim = GetParam();
  const Rotation rotation(dim);
  VectorMaker maker(dim, 2);
  const std::vector<float> rows = maker.rows(2, 0.3F);
  const auto a = std::span(rows).first(dim);
  const auto b = std::span(rows).last(dim);
  std::vector<float> rotated_a(rotation.size());
  std::vector<float> rotated_b(rotation.size());
  rotation.apply(a, rotated_a);
  rotation.apply(b, rotated_b);
  EXPECT_NEAR(product(rotated_a, rotated_b), product(a, b), 1e-4 * dim);
  EXPECT_NEAR(product(rotated_a, rotated_a), product(a, a), 1e-4 * dim);
}

TEST(Rotation, SpreadsAVectorOverAllValues) {
  const Rotation rotation(384);
  std::vector<float> single(384, 0.0F);
  single[200] = 1;
  std::vector<float> rotated(rotation.size());
  rotation.apply(single, rotated);
  for (const float x : rotated) EXPECT_LT(std::abs(x), 0.3F);
}

TEST(SignCodes, EstimateProducts) {
  constexpr uint32_t kDim = 300;
  constexpr size_t kRows = 400;
  const Rotation rotation(kDim);
  VectorMaker maker(kDim, 3);
  std::vector<float> rows = maker.rows(kRows, 0.8F);
  for (size_t i = 0; i < kRows; ++i) {
    const auto row = std::span(rows).subspan(i * kDim, kDim);
    const auto length = static_cast<float>(std::sqrt(product(row, row)));
    for (float& x : row) x /= length;
  }
  const auto centroid = std::span(rows).first(kDim);
  const auto query = std::span(rows).subspan(kDim, kDim);
  const auto rest_of = [&](std::span<const float> row) {
    std::vector<float> rest(kDim);
    for (size_t i = 0; i < kDim; ++i) rest[i] = row[i] - centroid[i];
    return rest;
  };
  SignQuery signs(rotation);
  signs.aim(rest_of(query), static_cast<float>(product(query, centroid)));
  std::vector<float> rotated(rotation.size());
  std::vector<uint8_t> code(sign_code_size(kDim));
  double squares = 0;
  double bias = 0;
  for (size_t i = 0; i < kRows; ++i) {
    const auto row = std::span(rows).subspan(i * kDim, kDim);
    const std::vector<float> rest = rest_of(row);
    rotation.apply(rest, rotated);
    encode_signs(rotated, static_cast<float>(product(centroid, rest)), code.data());
    EXPECT_TRUE(is_sign_code(code));
    const double error = double{signs.estimate(code.data())} - product(query, row);
    squares += error * error;
    bias += error;
  }
  EXPECT_LT(std::sqrt(squares / kRows), 0.06);
  EXPECT_LT(std::abs(bias / kRows), 0.01);
}

TEST(SignCodes, OfARowAtItsCentroidAreExact) {
  const Rotation rotation(8);
  std::vector<uint8_t> code(sign_code_size(8));
  encode_signs(std::vector<float>(rotation.size(), 0.0F), 0.25F, code.data());
  SignQuery signs(rotation);
  signs.aim(std::vector<float>(8, 0.1F), 0.5F);
  EXPECT_EQ(signs.estimate(code.data()), 0.75F);
}

TEST(SignCodes, AreCheckedForValuesThatNoWriterMakes) {
  const std::vector<uint8_t> good(sign_code_size(8));
  for (const float wrong : {std::numeric_limits<float>::infinity(), -1.0F}) {
    std::vector<uint8_t> code = good;
    store_le(code.data() + code.size() - 4, f32_to_f16(wrong));
    EXPECT_FALSE(is_sign_code(code));
  }
  std::vector<uint8_t> code = good;
  store_le<uint16_t>(code.data() + code.size() - 2, 0x7E00);
  EXPECT_FALSE(is_sign_code(code));
  EXPECT_TRUE(is_sign_code(good));
}

}  // namespace
}  // namespace ambry::search
