#include "infer/cnn/ops/sq8_panels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::infer {
namespace {

template <class V>
class Sq8PanelsTest : public ::testing::Test {};
TYPED_TEST_SUITE(Sq8PanelsTest, TypedIsas, IsaNames);

// A small convolution over a map of 3 × 9 × 11, and its expected sums.
class TestConv {
 public:
  TestConv(int32_t kernel, int32_t stride, uint32_t most_code) {
    TestRandom random(most_code + static_cast<uint32_t>(kernel + stride));
    layer_.kernel = kernel;
    layer_.stride = stride;
    layer_.padding = kernel / 2;
    layer_.in = 3;
    layer_.out = 3;
    const auto extent = [&](uint32_t in) {
      const int32_t span = static_cast<int32_t>(in) + 2 * layer_.padding - kernel;
      return static_cast<uint32_t>(span / stride + 1);
    };
    out_ = {3, extent(9), extent(11)};
    in_ = *FeatureMap::quantized({3, 9, 11}, {0.5F, kZeroPoint});
    for (uint8_t& code : in_.bytes()) {
      code = static_cast<uint8_t>(random.bits() % (most_code + 1));
    }
    for (uint64_t i = 0; i < 3 * layer_.row(); ++i) {
      codes_.push_back(static_cast<int8_t>(random.bits() & 0xFFU));
    }
  }

  // Rows of weights, each padded to a whole lane, and their sums.
  template <class Operands>
  ConvCall call() {
    using Row = typename Operands::Row;
    const auto row = static_cast<size_t>(layer_.row());
    const size_t padded = (row + Operands::kPerLane - 1) / Operands::kPerLane * Operands::kPerLane;
    weights_.weight = *AlignedBuffer::allocate(3 * padded * sizeof(Row));
    const std::span<Row> to = weights_.weight.template as<Row>();
    std::ranges::fill(to, Row{0});
    weights_.sums.assign(3, 0);
    for (size_t i = 0; i < codes_.size(); ++i) {
      to[i / row * padded + i % row] = codes_[i];
      weights_.sums[i / row] += codes_[i];
    }
    return {layer_, weights_, in_, out_};
  }

  [[nodiscard]] size_t outputs() const { return static_cast<size_t>(out_.plane()); }
  [[nodiscard]] int32_t wanted(size_t row, size_t output) const {
    const auto top = static_cast<int32_t>(output / out_.width) * layer_.stride - layer_.padding;
    const auto left = static_cast<int32_t>(output % out_.width) * layer_.stride - layer_.padding;
    const auto count = static_cast<int32_t>(layer_.row());
    int32_t sum = 0;
    for (int32_t i = 0; i < count; ++i) {
      const int32_t y = top + i / layer_.kernel % layer_.kernel;
      const int32_t x = left + i % layer_.kernel;
      const int32_t channel = i / layer_.kernel / layer_.kernel;
      if (y < 0 || y >= 9 || x < 0 || x >= 11) continue;
      const int32_t code = in_.bytes()[static_cast<size_t>((channel * 9 + y) * 11 + x)];
      const int32_t weight = codes_[row * static_cast<size_t>(count) + static_cast<size_t>(i)];
      sum += (code - kZeroPoint) * weight;
    }
    return sum;
  }

 private:
  static constexpr int32_t kZeroPoint = 77;

  model::CnnLayer layer_;
  CnnParameters weights_;
  FeatureMap in_;
  model::CnnShape out_;
  std::vector<int8_t> codes_;
};

template <class Panels, class Operands>
void expect_sums(TestConv& conv) {
  const ConvCall call = conv.call<Operands>();
  auto panels = Panels::create(call);
  ASSERT_TRUE(panels);
  ASSERT_GE(panels->count() * kernels::kPanelColumns, conv.outputs());
  int32_t sums[3 * kernels::kPanelColumns];
  for (size_t first = 0; first < conv.outputs(); first += kernels::kPanelColumns) {
    const size_t panel = first / kernels::kPanelColumns;
    panels->gather(panel, first);
    panels->multiply(0, 3, panel, sums);
    const size_t columns = std::min(kernels::kPanelColumns, conv.outputs() - first);
    for (size_t row = 0; row < 3; ++row) {
      for (size_t c = 0; c < columns; ++c) {
        const int32_t sum = sums[row * kernels::kPanelColumns + c] + panels->correction(row);
        EXPECT_EQ(sum, conv.wanted(row, first + c)) << row << ' ' << first + c;
      }
    }
  }
}

TYPED_TEST(Sq8PanelsTest, SumsEqualTheReference) {
  const std::vector<std::tuple<int32_t, int32_t, uint32_t>> forms = {
      {1, 1, 127}, {1, 2, 255}, {3, 1, 127}, {3, 1, 255}, {3, 2, 255}, {5, 3, 127}, {7, 2, 130}};
  for (const auto& [kernel, stride, most_code] : forms) {
    SCOPED_TRACE(::testing::Message() << kernel << ' ' << stride << ' ' << most_code);
    TestConv conv(kernel, stride, most_code);
    expect_sums<Int16Panels<TypeParam>, kernels::Int16Pairs>(conv);
    expect_sums<Int8Panels<TypeParam>, kernels::Int8ByUint8>(conv);
  }
}

}  // namespace
}  // namespace ambry::infer
