#include "infer/cnn/range_observer.h"

#include <gtest/gtest.h>

#include "infer/cnn/synthetic_network.h"

namespace ambry::infer {
namespace {

using formats::tinyruntime::testing::Maker;
using testing::File;

// One channel that every layer passes on unchanged, so that values can be computed by hand.
std::shared_ptr<const CnnWeights> plain_network() {
  Maker maker;
  maker.convs = {{1, 1, 0, 1, 1, false}, {3, 1, 1, 1, 1, true}, {3, 1, 1, 1, 1, false}};
  maker.linears = {{2, 2, false}, {2, 2, true}};
  maker.batch_norms = {2, 2};
  File file = maker.make();
  const std::vector<float> values = {1,                                   // conv 0
                                     0, 0, 0, 0,  1,  0,  0, 0, 0, 0.5F,  // conv 1
                                     0, 0, 0, 0,  1,  0,  0, 0, 0,        // conv 2
                                     1, 0, 0, -1,                         // linear 0
                                     1, 2, 3, 4,  10, 20,                 // linear 1
                                     2, 1, 0, 1,  1,  0,  4, 1,           // batch norm 0
                                     1, 1, 0, 0,  0,  0,  1, 1};          // batch norm 1
  std::memcpy(file.data() + maker.places.data, values.data(), values.size() * sizeof(float));
  return testing::read_weights(file);
}

CnnNetwork network_at(uint32_t side) {
  const auto weights = plain_network();
  auto network = CnnNetwork::create(weights, *model::residual_graph(weights->table, side));
  EXPECT_TRUE(network) << describe(network.error());
  return std::move(network).value();
}

// The stem's pool makes {6, 8, 14, 16} of 1 … 16; the block adds it to itself and 0.5.
TEST(CnnRangeObserver, ObservesEveryLayer) {
  const CnnNetwork network = network_at(4);
  CnnRangeObserver observer(network);
  std::vector<float> image;
  for (int i = 1; i <= 16; ++i) image.push_back(static_cast<float>(i));
  const auto logits = testing::run_network(network, image, &observer);
  ASSERT_TRUE(logits) << describe(logits.error());
  // {32.5, 22.5} after the pools, {31.5, 23.5} after the first norm, {31.5, 0} after the layer.
  EXPECT_NEAR((*logits)[0], 10 + 31.5, 1e-3);
  EXPECT_NEAR((*logits)[1], 20 + 3 * 31.5, 1e-3);
  const model::CnnRanges& ranges = observer.ranges();
  ASSERT_EQ(ranges.activations.size(), 3U + 3U + 10U);
  EXPECT_EQ(ranges.conv_weights, (std::vector<float>{1, 1, 1}));
  EXPECT_EQ(ranges.linear_weights, (std::vector<float>{1, 4}));
  EXPECT_EQ(ranges.activations[0].low, 1);
  EXPECT_EQ(ranges.activations[2].low, 6);
  EXPECT_EQ(ranges.activations[3].low, 6.5F);
  EXPECT_EQ(ranges.activations[5].high, 32.5F);
  for (size_t i = 6; i < 10; ++i) EXPECT_EQ(ranges.activations[i].high, 32.5F) << i;
  EXPECT_EQ(ranges.conv_flows[1].in, 1U) << "bytes go through the pool as they are";
  EXPECT_EQ(ranges.conv_flows[2].out, 4U);
  EXPECT_EQ(ranges.linear_flows[0].in, 5U + 6U);
  EXPECT_EQ(ranges.linear_flows[1].out, 5U + 10U);
}

TEST(CnnRangeObserver, CoversAllImages) {
  const CnnNetwork network = network_at(4);
  CnnRangeObserver observer(network);
  ASSERT_TRUE(testing::run_network(network, std::vector<float>(16, -3), &observer));
  ASSERT_TRUE(testing::run_network(network, std::vector<float>(16, 7), &observer));
  EXPECT_EQ(observer.ranges().activations[0].low, -3);
  EXPECT_EQ(observer.ranges().activations[0].high, 7);
  EXPECT_EQ(observer.ranges().activations[1].low, 0);
}

}  // namespace
}  // namespace ambry::infer
