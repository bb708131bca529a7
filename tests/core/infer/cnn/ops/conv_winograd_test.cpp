#include "infer/cnn/ops/conv_winograd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/test_random.h"

namespace ambry::infer {
namespace {

struct ConvForm {
  uint32_t in;
  uint32_t out;
  uint32_t height;
  uint32_t width;
  int32_t padding = 1;
  bool bias = true;
};

// A convolution of 3 x 3 random weights over random values.
class Conv3x3 {
 public:
  explicit Conv3x3(const ConvForm& form) {
    TestRandom random(uint64_t{form.in} * form.height + form.width);
    layer_.kernel = 3;
    layer_.padding = form.padding;
    layer_.in = static_cast<int32_t>(form.in);
    layer_.out = static_cast<int32_t>(form.out);
    const auto grown = static_cast<uint32_t>(2 * form.padding - 2);
    out_ = {form.out, form.height + grown, form.width + grown};
    in_ = *FeatureMap::f32({form.in, form.height, form.width});
    std::ranges::generate(in_.floats(), [&] { return random.next(); });
    weights_.weight = *AlignedBuffer::allocate(form.out * layer_.row() * sizeof(float));
    std::ranges::generate(weights_.weight.as<float>(), [&] { return random.next(); });
    if (form.bias) weights_.bias = random.floats(form.out);
  }

  [[nodiscard]] ConvCall call() const { return {layer_, weights_, in_, out_}; }
  model::CnnLayer& layer() { return layer_; }
  AlignedBuffer& weights() { return weights_.weight; }

 private:
  model::CnnLayer layer_;
  CnnParameters weights_;
  FeatureMap in_;
  model::CnnShape out_;
};

// By the definition, in doubles.
std::vector<double> convolution_in_doubles(const ConvCall& call) {
  std::vector<double> sums;
  const model::CnnShape& in = call.in.shape();
  const float* weights = call.weights.weight.as<float>().data();
  const auto value = [&](uint32_t c, int64_t y, int64_t x) -> double {
    if (y < 0 || x < 0 || y >= in.height || x >= in.width) return 0;
    return call.in
        .floats()[(static_cast<size_t>(c) * in.height + static_cast<size_t>(y)) * in.width +
                  static_cast<size_t>(x)];
  };
  for (uint32_t o = 0; o < call.out.channels; ++o) {
    for (int64_t y = -call.layer.padding; y < int64_t{call.out.height} - call.layer.padding; ++y) {
      for (int64_t x = -call.layer.padding; x < int64_t{call.out.width} - call.layer.padding; ++x) {
        double sum = call.weights.bias.empty() ? 0 : call.weights.bias[o];
        for (uint32_t c = 0; c < in.channels; ++c) {
          for (int64_t i = 0; i < 9; ++i) {
            sum += static_cast<double>(
                       weights[o * call.layer.row() + c * 9 + static_cast<size_t>(i)]) *
                   value(c, y + i / 3, x + i % 3);
          }
        }
        sums.push_back(sum);
      }
    }
  }
  return sums;
}

class WinogradTest : public ::testing::TestWithParam<ConvForm> {};

TEST_P(WinogradTest, GivesTheConvolution) {
  const Conv3x3 conv(GetParam());
  const auto expected = convolution_in_doubles(conv.call());
  const auto got = run_winograd_conv(conv.call());
  ASSERT_TRUE(got);
  ASSERT_EQ(got->floats().size(), expected.size());
  // Sums of 9 values per channel below 1, of which each may be rounded.
  const double most = 1e-6 * 9 * GetParam().in;
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(got->floats()[i]), expected[i], most) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, WinogradTest,
                         ::testing::Values(ConvForm{16, 16, 8, 8}, ConvForm{16, 16, 7, 7},
                                           ConvForm{17, 19, 9, 6}, ConvForm{3, 70, 5, 5},
                                           ConvForm{16, 16, 6, 13, 0, false},
                                           ConvForm{5, 4, 3, 4, 2}, ConvForm{1, 1, 3, 3, 0},
                                           ConvForm{18, 130, 4, 21},
                                           // More than one block of tiles.
                                           ConvForm{64, 3, 30, 60}),
                         [](const auto& test) {
                           const ConvForm& form = test.param;
                           return std::to_string(form.in) + "To" + std::to_string(form.out) + "Of" +
                                  std::to_string(form.height) + "By" + std::to_string(form.width);
                         });

TEST(Winograd, SuitsConvolutionsThatItMakesFaster) {
  Conv3x3 conv({64, 64, 56, 56});
  EXPECT_TRUE(suits_winograd(conv.call()));
  EXPECT_TRUE(suits_winograd(Conv3x3({512, 512, 7, 7}).call()));
  // Too few channels, or too few outputs for the transforms of the weights.
  EXPECT_FALSE(suits_winograd(Conv3x3({3, 64, 56, 56}).call()));
  EXPECT_FALSE(suits_winograd(Conv3x3({64, 8, 56, 56}).call()));
  EXPECT_FALSE(suits_winograd(Conv3x3({512, 512, 3, 3}).call()));
  conv.layer().stride = 2;
  EXPECT_FALSE(suits_winograd(conv.call()));
  conv.layer().stride = 1;
  conv.layer().kernel = 5;
  EXPECT_FALSE(suits_winograd(conv.call()));
}

TEST(Winograd, AnInfiniteWeightIsNotLost) {
  Conv3x3 conv({16, 16, 8, 8});
  conv.weights().as<float>()[0] = INFINITY;
  const auto got = run_winograd_conv(conv.call());
  ASSERT_TRUE(got);
  EXPECT_FALSE(std::isfinite(got->floats()[9]));
  EXPECT_TRUE(std::isfinite(got->floats()[64]));  // of the second output channel
}

}  // namespace
}  // namespace ambry::infer
