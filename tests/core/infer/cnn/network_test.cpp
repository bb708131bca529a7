#include "infer/cnn/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "infer/cnn/reference_network.h"
#include "infer/cnn/synthetic_network.h"
#include "model/cnn/cnn_plan.h"

namespace ambry::infer {
namespace {

using formats::tinyruntime::testing::Maker;
using model::CnnVariant;
using testing::File;

constexpr CnnVariant kVariants[] = {CnnVariant::Vanilla, CnnVariant::Dq8, CnnVariant::Sq8};

model::CnnGraph graph_of(const char* plan) {
  auto read = model::read_cnn_plan(plan);
  EXPECT_TRUE(read) << describe(read.error());
  return read->graph;
}

void expect_reference(const File& file, const model::CnnGraph& graph, float loudness) {
  const auto network = CnnNetwork::create(testing::read_weights(file), graph);
  ASSERT_TRUE(network) << describe(network.error());
  TestRandom random(7);
  const auto input = random.floats(static_cast<size_t>(graph.input.count()), loudness);
  const auto logits = testing::run_network(*network, input);
  ASSERT_TRUE(logits) << describe(logits.error());
  EXPECT_EQ(*logits, testing::ReferenceNetwork(file, graph).run(input));
}

// A stem, a basic block, a bottleneck with a shortcut, and the head; odd widths.
Maker residual(CnnVariant variant) {
  Maker maker;
  maker.variant = variant;
  maker.convs = {{7, 2, 3, 3, 5, true},  {3, 1, 1, 5, 5, false}, {3, 1, 1, 5, 5, true},
                 {1, 1, 0, 5, 3, false}, {3, 2, 1, 3, 3, true},  {1, 1, 0, 3, 11, true},
                 {1, 2, 0, 5, 11, false}};
  maker.linears = {{22, 7, true}, {7, 4, true}};
  maker.batch_norms = {22, 7};
  maker.n_activations = 3 + 3 + 5 + 10;
  return maker;
}

File made_residual(CnnVariant variant, uint64_t seed) {
  Maker maker = residual(variant);
  return testing::synthetic_file(maker, seed);
}

TEST(CnnNetwork, RunsResidualNetworksLikeTheReference) {
  for (const CnnVariant variant : kVariants) {
    for (const bool asymmetric : {false, true}) {
      for (const float loudness : {0.0F, 1.0F, 300.0F}) {
        SCOPED_TRACE(concat({model::cnn_variant_name(variant), asymmetric ? " asymmetric " : " ",
                             uint64_t(loudness)}));
        Maker maker = residual(variant);
        maker.asymmetric = asymmetric;
        const File file = testing::synthetic_file(maker, 11);
        const auto table = testing::read_weights(file)->table;
        expect_reference(file, *model::residual_graph(table, 29), loudness);
      }
    }
  }
}

// Inputs so far from 0 that their codes overflow 16 bits and wrap.
TEST(CnnNetwork, WrapsHugeInputsOfSq8LikeTheReference) {
  const File file = made_residual(CnnVariant::Sq8, 5);
  const auto table = testing::read_weights(file)->table;
  for (const float loudness : {3e4F, 1e6F}) {
    expect_reference(file, *model::residual_graph(table, 21), loudness);
  }
}

TEST(CnnNetwork, RunsGroupsOfAnySize) {
  for (const int32_t group : {1, 3, 7, 9, 21, 63}) {
    for (const bool asymmetric : {false, true}) {
      Maker maker;
      maker.variant = CnnVariant::Dq8;
      maker.asymmetric = asymmetric;
      maker.weight_group = group;
      maker.convs = {{3, 1, 1, 7, 7, true}, {3, 2, 0, 7, 7, false}};
      maker.linears = {{63, 4, true}};
      maker.batch_norms = {};
      const File file = testing::synthetic_file(maker, static_cast<uint64_t>(group));
      SCOPED_TRACE(group);
      expect_reference(file, graph_of(R"({"input": [7, 7, 7],
          "ops": ["conv", "relu", "conv", "flatten", "linear"]})"),
                       1.0F);
    }
  }
}

// More padding than the kernel's size, a stride larger than the kernel, maps that are not square.
TEST(CnnNetwork, RunsConvsOfAnyShape) {
  constexpr uint64_t kWeightZeroPoint = 28;  // in an entry of SQ8
  for (const CnnVariant variant : kVariants) {
    Maker maker;
    maker.variant = variant;
    maker.convs = {{2, 3, 3, 2, 9, true}, {5, 1, 2, 9, 1, true}};
    maker.linears = {{32, 3, false}};
    maker.batch_norms = {};
    maker.n_activations = 9;
    File file = testing::synthetic_file(maker, 5);
    if (variant == CnnVariant::Sq8) {
      store_le<int32_t>(&file[maker.places.convs + kWeightZeroPoint], -77);
    }
    SCOPED_TRACE(model::cnn_variant_name(variant));
    expect_reference(file, graph_of(R"({"input": [2, 17, 6],
        "ops": ["conv", "relu", "conv", "flatten", "linear"]})"),
                     1.0F);
  }
}

std::vector<float> run_one(const Maker& maker, const std::vector<float>& values, const char* plan,
                           const std::vector<float>& input) {
  Maker made = maker;
  File file = made.make();
  std::memcpy(file.data() + made.places.data, values.data(), values.size() * sizeof(float));
  const auto network = CnnNetwork::create(testing::read_weights(file), graph_of(plan));
  EXPECT_TRUE(network) << describe(network.error());
  const auto output = testing::run_network(*network, input);
  EXPECT_TRUE(output) << describe(output.error());
  return *output;
}

Maker nothing() {
  Maker maker;
  maker.convs = {{1, 1, 0, 1, 1, false}};
  maker.linears = {};
  maker.batch_norms = {};
  return maker;
}

TEST(CnnNetwork, MaxPoolStartsAtZero) {
  EXPECT_EQ(run_one(nothing(), {1}, R"({"input": [1, 2, 3], "ops": ["conv", "maxpool:2:1:1"]})",
                    {-1, -2, 3, -4, 5, -6}),
            (std::vector<float>{0, 0, 3, 3, 0, 5, 5, 3, 0, 5, 5, 0}));
}

TEST(CnnNetwork, AveragePoolDividesByTheWholeWindow) {
  EXPECT_EQ(run_one(nothing(), {1}, R"({"input": [1, 2, 3], "ops": ["conv", "avgpool:2:2:1"]})",
                    {4, 8, 12, 16, 20, 24}),
            (std::vector<float>{1, 5, 4, 11}));
}

TEST(CnnNetwork, PadsChannelsAndAddsTheInputTwice) {
  EXPECT_EQ(run_one(nothing(), {3}, R"({"input": [1, 1, 2], "nodes": [["conv", 0, "x", "a"],
                    ["add", "a", "a", "b"], ["pad_channels", 1, 2, "b", "c"]]})",
                    {1, -2}),
            (std::vector<float>{0, 0, 6, -12, 0, 0, 0, 0}));
}

TEST(CnnNetwork, NormalizesChannelsOfMaps) {
  Maker maker = nothing();
  maker.batch_norms = {1};
  const auto output = run_one(maker, {1, 2, 10, 1, 4}, R"({"input": [1, 1, 2],
      "ops": ["conv", "batchnorm"]})",
                              {1, 5});
  EXPECT_EQ(output[0], 10);
  EXPECT_NEAR(output[1], 14, 1e-4);
}

TEST(CnnNetwork, SoftmaxGivesProbabilities) {
  const auto output =
      run_one(nothing(), {1}, R"({"input": [1, 1, 2], "ops": ["conv", "flatten", "softmax"]})",
              {0, std::log(3.0F)});
  EXPECT_NEAR(output[0], 0.25F, 1e-6);
  EXPECT_NEAR(output[1], 0.75F, 1e-6);
}

TEST(CnnNetwork, FastModeStaysClose) {
  const File file = made_residual(CnnVariant::Vanilla, 3);
  const auto weights = testing::read_weights(file);
  const auto network = CnnNetwork::create(weights, *model::residual_graph(weights->table, 40));
  ASSERT_TRUE(network);
  TestRandom random(9);
  const auto input = random.floats(3 * 40 * 40);
  const auto exact = testing::run_network(*network, input);
  const auto fast = testing::run_network(*network, input, nullptr, CnnMode::Fast);
  ASSERT_TRUE(exact && fast);
  for (size_t i = 0; i < exact->size(); ++i) {
    EXPECT_NEAR((*fast)[i], (*exact)[i], 1e-4F * (1.0F + std::abs((*exact)[i])));
  }
}

TEST(CnnNetwork, RefusesInvalidInputs) {
  const File file = nothing().make();
  const auto network = CnnNetwork::create(testing::read_weights(file),
                                          graph_of(R"({"input": [1, 2, 2], "ops": ["conv"]})"));
  ASSERT_TRUE(network);
  const auto few = testing::run_network(*network, std::vector<float>(3));
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().path, "input");
  for (const float odd :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const auto output = testing::run_network(*network, std::vector<float>{0, 0, odd, 0});
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().code, ErrorCode::BadValue);
    EXPECT_EQ(output.error().path, "input[2]");
  }
}

// Finite inputs that overflow on the way must not trap.
TEST(CnnNetwork, SurvivesHugeInputs) {
  for (const CnnVariant variant : kVariants) {
    const File file = made_residual(variant, 2);
    const auto weights = testing::read_weights(file);
    const auto network = CnnNetwork::create(weights, *model::residual_graph(weights->table, 9));
    ASSERT_TRUE(network);
    for (const float loud : {1e6F, 3e38F, -3e38F}) {
      const auto output = testing::run_network(*network, std::vector<float>(3 * 81, loud));
      EXPECT_TRUE(output);
    }
  }
}

TEST(CnnNetwork, RefusesGraphsThatDoNotFitTheTable) {
  const File file = nothing().make();
  const auto network = CnnNetwork::create(testing::read_weights(file),
                                          graph_of(R"({"input": [2, 2, 2], "ops": ["conv"]})"));
  ASSERT_FALSE(network);
  EXPECT_EQ(network.error().path, "plan.nodes[0]");
}

}  // namespace
}  // namespace ambry::infer
