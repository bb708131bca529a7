#include "kernels/quantize/dynamic_quantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/quantize/static_quantize.h"
#include "kernels/special_values.h"
#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class DynamicQuantizeTest : public ::testing::Test {};
TYPED_TEST_SUITE(DynamicQuantizeTest, TypedIsas, IsaNames);

// int(v) as x86 converts it.
int32_t whole(float v) {
  return v >= -2147483648.0F && v < 2147483648.0F ? static_cast<int32_t>(v) : INT32_MIN;
}
int32_t wrapped_sum(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

template <class V>
float rounded(float v) {
  float lanes[V::kLanes];
  V::store(lanes, V::trunc(with_rounding_bias<V>(V::splat(v))));
  return lanes[0];
}

TYPED_TEST(DynamicQuantizeTest, RoundsTiesAwayFromZero) {
  using V = TypeParam;
  for (const float v :
       {0.0F, 0.5F, -0.5F, 1.5F, 2.5F, -2.5F, 0.49999997F, -0.49999997F, 1.4999999F, 4194303.5F,
        4194303.2F, 8388607.5F, 8388607.0F, -8388608.0F, 8388609.0F, 1e30F, 126.99999F}) {
    EXPECT_EQ(rounded<V>(v), std::round(v)) << v;
  }
  EXPECT_EQ(rounded<V>(kInfinity), kInfinity);
  EXPECT_EQ(rounded<V>(-kInfinity), -kInfinity);
  EXPECT_TRUE(std::isnan(rounded<V>(kNan)));
}

// A group of one column by core/formats/tinyruntime/README.md#dq8-arithmetic.
struct Wanted {
  float scale = 0;
  int32_t zero_point = 0;
  std::vector<int32_t> codes;

  Wanted(const std::vector<float>& group, bool symmetric) {
    const auto [low, high] = std::ranges::minmax(group);
    if (symmetric) {
      scale = std::max(std::fabs(low), std::fabs(high)) / 127.0F;
    } else {
      scale = (high - low) / 255.0F;
      if (scale == 0) scale = 1e-4F;
      zero_point = whole(std::round(-128.0F - low / scale));
    }
    for (const float v : group) {
      const int32_t code = wrapped_sum(whole(std::round(v / scale)), zero_point);
      codes.push_back(static_cast<int8_t>(static_cast<uint32_t>(code) & 0xFFU));
    }
  }
};

template <class V>
void expect_quantized(const std::vector<float>& panel, bool symmetric) {
  const size_t rows = panel.size() / kPanelColumns;
  std::vector<int16_t> pairs((rows + 1) / 2 * 2 * kPanelColumns, 99);
  std::vector<float> scales(kPanelColumns);
  std::vector<int32_t> zero_points(kPanelColumns);
  std::vector<int32_t> sums(kPanelColumns);
  quantize_group<V>(
      panel.data(), rows,
      {pairs.data(), scales.data(), symmetric ? nullptr : zero_points.data(), sums.data()});
  for (size_t c = 0; c < kPanelColumns; ++c) {
    std::vector<float> column;
    for (size_t i = 0; i < rows; ++i) column.push_back(panel[i * kPanelColumns + c]);
    const Wanted wanted(column, symmetric);
    EXPECT_EQ(scales[c], wanted.scale);
    EXPECT_EQ(zero_points[c], wanted.zero_point);
    int32_t sum = 0;
    for (size_t i = 0; i < rows; ++i) {
      EXPECT_EQ(pairs[(i / 2 * kPanelColumns + c) * 2 + i % 2], wanted.codes[i]) << column[i];
      sum += wanted.codes[i];
    }
    if (rows % 2 == 1) {
      EXPECT_EQ(pairs[(rows / 2 * kPanelColumns + c) * 2 + 1], 0);
    }
    EXPECT_EQ(sums[c], symmetric ? 0 : sum);
  }
}

TYPED_TEST(DynamicQuantizeTest, QuantizesGroupsOfAnySize) {
  TestRandom random(3);
  for (const size_t rows : {1U, 2U, 7U, 64U}) {
    for (const float factor : {1e-6F, 1.0F, 3e4F}) {
      const auto panel = random.floats(rows * kPanelColumns, factor);
      expect_quantized<TypeParam>(panel, true);
      expect_quantized<TypeParam>(panel, false);
    }
  }
}

// Zeros, constants, and values so close together that codes and zero points overflow their types.
TYPED_TEST(DynamicQuantizeTest, WrapsCodesThatOverflow) {
  std::vector<float> panel = {0, 0.5F, -3, 1,          16777216, 1e20F, -1e-30F, 100,  //
                              0, 0.5F, -3, 1.0000001F, 16777218, 1e20F, 1e-30F,  101};
  expect_quantized<TypeParam>(panel, true);
  expect_quantized<TypeParam>(panel, false);
}

TYPED_TEST(DynamicQuantizeTest, QuantizesStatically) {
  using V = TypeParam;
  const std::vector<float> values = {0,    0.25F, -0.25F, 0.75F, 1000, -1000, 16383.5F,
                                     2e4F, -2e4F, 1e9F,   -1e9F, 3e9F, -12};
  for (size_t n = 0; n <= values.size(); ++n) {
    std::vector<uint8_t> bytes(n);
    quantize_static<V>(std::span(values).first(n), 0.5F, 20, bytes.data());
    for (size_t i = 0; i < n; ++i) {
      const auto code = static_cast<int16_t>(whole(std::round(values[i] / 0.5F)));
      EXPECT_EQ(bytes[i], std::clamp<int32_t>(static_cast<int16_t>(code + 20), 0, 255))
          << values[i];
    }
  }
}

TYPED_TEST(DynamicQuantizeTest, RequantizesSums) {
  using V = TypeParam;
  const std::vector<int32_t> sums = {0, 10, -10, 3, 100000, -100000, 2147483647, -7};
  std::vector<uint8_t> bytes(kPanelColumns);
  Requantization{0.35F, 9}.template apply<V>(sums.data(), 5, bytes.data());
  for (size_t i = 0; i < sums.size(); ++i) {
    const float steps = 0.35F * static_cast<float>(wrapped_sum(sums[i], 5));
    const auto code = static_cast<int16_t>(whole(std::round(steps)));
    EXPECT_EQ(bytes[i], std::clamp<int32_t>(static_cast<int16_t>(code + 9), 0, 255)) << sums[i];
  }
}

}  // namespace
}  // namespace ambry::kernels
