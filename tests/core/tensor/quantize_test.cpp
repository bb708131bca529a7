#include "tensor/quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace ambry::tensor {
namespace {

struct Quantized {
  std::vector<int8_t> codes;
  std::vector<float> scales;
};

Quantized quantize(const std::vector<float>& weights, size_t rows) {
  Quantized result{std::vector<int8_t>(weights.size()), std::vector<float>(rows)};
  EXPECT_TRUE(
      quantize_rows_int8(weights, rows, weights.size() / rows, result.codes, result.scales));
  return result;
}

TEST(QuantizeRowsInt8, UsesTheLargestWeightOfEachRow) {
  const Quantized q = quantize({127, -64, 0.5F, 2, -4, 1}, 2);
  EXPECT_EQ(q.scales, (std::vector<float>{1, 4.0F / 127}));
  EXPECT_EQ(q.codes, (std::vector<int8_t>{127, -64, 0, 64, -127, 32}));
}

TEST(QuantizeRowsInt8, GivesARowOfZerosScaleZero) {
  const Quantized q = quantize({0, -0.0F, 0, 1, 1, 1}, 2);
  EXPECT_EQ(q.scales[0], 0);
  EXPECT_EQ(q.codes[1], 0);
}

TEST(QuantizeRowsInt8, StaysWithinHalfAStep) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, 0.05F);
  std::vector<float> weights(64 * 33);
  for (float& w : weights) w = normal(random);
  const Quantized q = quantize(weights, 64);
  for (size_t i = 0; i < weights.size(); ++i) {
    const float scale = q.scales[i / 33];
    EXPECT_LE(std::abs(weights[i] - static_cast<float>(q.codes[i]) * scale), scale * 0.5001F);
  }
}

TEST(QuantizeRowsInt8, SurvivesTheSmallestAndTheLargestFloats) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float huge = std::numeric_limits<float>::max();
  const Quantized q = quantize({tiny, -tiny, huge, -huge}, 2);
  EXPECT_EQ(q.codes[0], -q.codes[1]);
  EXPECT_NE(q.codes[0], 0);
  EXPECT_EQ(q.codes[2], 127);
  EXPECT_TRUE(std::isfinite(q.scales[1]));
}

TEST(QuantizeRowsInt8, NamesTheRowOfANonFiniteWeight) {
  std::vector<int8_t> codes(4);
  std::vector<float> scales(2);
  for (const float bad : {std::nanf(""), -std::numeric_limits<float>::infinity()}) {
    const std::vector<float> weights = {1, 2, 3, bad};
    const auto result = quantize_rows_int8(weights, 2, 2, codes, scales);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::BadValue);
    EXPECT_EQ(result.error().path, "row 1");
  }
}

}  // namespace
}  // namespace ambry::tensor
