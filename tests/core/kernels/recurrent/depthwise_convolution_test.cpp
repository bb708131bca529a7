#include "kernels/recurrent/depthwise_convolution.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

constexpr size_t kTokens = 9;

struct Example {
  size_t channels;
  size_t taps;
  std::vector<float> stored;  // [channels][taps]
  std::vector<float> bias;
  std::vector<float> rows;  // [tokens][channels]

  Example(size_t channels, size_t taps, bool has_bias) : channels(channels), taps(taps) {
    TestRandom random(channels * 31 + taps);
    stored = random.floats(channels * taps);
    if (has_bias) bias = random.floats(channels);
    rows = random.floats(kTokens * channels);
  }

  [[nodiscard]] double expected(size_t token, size_t c) const {
    double sum = bias.empty() ? 0.0 : double{bias[c]};
    for (size_t t = 0; t < taps; ++t) {
      if (token + t + 1 < taps) continue;  // before the first token
      sum += double{stored[c * taps + t]} * double{rows[(token + t + 1 - taps) * channels + c]};
    }
    return sum;
  }
};

template <class V>
class DepthwiseConvolutionTest : public ::testing::Test {};
TYPED_TEST_SUITE(DepthwiseConvolutionTest, TypedIsas, IsaNames);

TYPED_TEST(DepthwiseConvolutionTest, EqualsTheDefinition) {
  for (const size_t channels : {1U, 4U, 7U, 13U, 32U}) {
    for (const size_t taps : {1U, 2U, 3U, 4U, 5U}) {
      const Example of(channels, taps, taps % 2 == 0);
      std::vector<float> weight(channels * taps);
      by_tap(of.stored, channels, weight.data());
      const DepthwiseConvolution by{channels, weight, of.bias};
      std::vector<float> window(by.window_floats());
      std::vector<float> out(channels);
      for (size_t token = 0; token < kTokens; ++token) {
        const float* row = &of.rows[token * channels];
        convolve_row<TypeParam>(by, window.data(), row, 0, channels, out.data());
        for (size_t c = 0; c < channels; ++c) {
          EXPECT_NEAR(out[c], of.expected(token, c), 1e-6) << channels << " " << taps << " " << c;
        }
      }
    }
  }
}

// Every channel is computed alone, so shares of threads and lanes of instruction sets give the same
// bits.
TYPED_TEST(DepthwiseConvolutionTest, SharesGiveTheBitsOfScalarCode) {
  const Example of(29, 4, true);
  std::vector<float> weight(of.stored.size());
  by_tap(of.stored, of.channels, weight.data());
  const DepthwiseConvolution by{of.channels, weight, of.bias};
  std::vector<float> window(by.window_floats());
  std::vector<float> scalar_window = window;
  for (size_t token = 0; token < kTokens; ++token) {
    std::vector<float> row(&of.rows[token * of.channels], &of.rows[(token + 1) * of.channels]);
    std::vector<float> scalar(of.channels);
    convolve_row<simd::Scalar>(by, scalar_window.data(), row.data(), 0, of.channels, scalar.data());
    convolve_row<TypeParam>(by, window.data(), row.data(), 0, 11, row.data());
    convolve_row<TypeParam>(by, window.data(), row.data(), 11, of.channels, row.data());
    EXPECT_EQ(row, scalar);
    EXPECT_EQ(window, scalar_window);
  }
}

}  // namespace
}  // namespace ambry::kernels
