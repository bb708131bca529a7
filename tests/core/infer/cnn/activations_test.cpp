#include "infer/cnn/activations.h"

#include <gtest/gtest.h>

#include <numeric>

namespace ambry::infer {
namespace {

FeatureMap counted(const model::CnnShape& shape) {
  auto map = FeatureMap::f32(shape);
  EXPECT_TRUE(map);
  std::iota(map->floats().begin(), map->floats().end(), 1.0F);
  return std::move(map).value();
}

// Counts the calls that arrive.
struct Counter final : CnnObserver {
  void on_value(uint32_t /*value*/, const FeatureMap& /*map*/) override { ++values; }
  void on_codes(const CnnCodes& /*codes*/) override { ++codes; }
  void on_quantized(const FeatureMap& /*map*/) override { ++quantized; }
  void on_norm_input(const FeatureMap& /*map*/) override { ++norms; }
  int values = 0;
  int codes = 0;
  int quantized = 0;
  int norms = 0;
};

TEST(CnnActivations, KeepsFloatsInTheOrderOfComputation) {
  CnnActivations kept;
  kept.on_value(0, counted({1, 2, 2}));
  kept.on_value(1, counted({3, 1, 1}));
  ASSERT_EQ(kept.entries().size(), 2U);
  EXPECT_EQ(kept.entries()[1].value, 1U);
  EXPECT_EQ(kept.entries()[1].channels, 3U);
  const std::vector<float> values(kept.floats().begin(), kept.floats().end());
  EXPECT_EQ(values, (std::vector<float>{1, 2, 3, 4, 1, 2, 3}));
}

TEST(CnnActivations, DecodesQuantizedMaps) {
  auto map = FeatureMap::quantized({1, 1, 3}, {.scale = 0.5F, .zero_point = 128});
  ASSERT_TRUE(map);
  map->bytes()[0] = 128;
  map->bytes()[1] = 130;
  map->bytes()[2] = 0;
  CnnActivations kept;
  kept.on_value(4, *map);
  const std::vector<float> values(kept.floats().begin(), kept.floats().end());
  EXPECT_EQ(values, (std::vector<float>{0, 1, -64}));
}

TEST(CnnActivations, KeepsWholePlanesWithinTheLimits) {
  CnnActivations kept;
  kept.on_value(0, counted({64, 128, 128}));
  EXPECT_EQ(kept.entries()[0].channels, 4U);
  EXPECT_EQ(kept.floats().size(), kMaxKeptOfValue);
  kept.on_value(1, counted({2, 300, 300}));
  EXPECT_EQ(kept.entries()[1].channels, 1U) << "one plane that is larger than the limit of a layer";
  for (uint32_t i = 2; i < 200; ++i) kept.on_value(i, counted({4, 128, 128}));
  EXPECT_LE(kept.floats().size(), kMaxKeptOfRun);
  EXPECT_EQ(kept.entries().back().channels, 0U);
  EXPECT_EQ(kept.entries().size(), 200U);
}

TEST(CnnActivations, PassesEveryCallOn) {
  Counter counter;
  CnnActivations kept(&counter);
  const FeatureMap map = counted({1, 1, 1});
  kept.on_value(0, map);
  kept.on_codes({});
  kept.on_quantized(map);
  kept.on_norm_input(map);
  EXPECT_EQ(counter.values, 1);
  EXPECT_EQ(counter.codes, 1);
  EXPECT_EQ(counter.quantized, 1);
  EXPECT_EQ(counter.norms, 1);
  CnnActivations alone;
  alone.on_codes({});
  alone.on_quantized(map);
  alone.on_norm_input(map);
  EXPECT_TRUE(alone.entries().empty());
}

}  // namespace
}  // namespace ambry::infer
