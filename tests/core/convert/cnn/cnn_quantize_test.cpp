#include "convert/cnn/cnn_quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "convert/run_conversion.h"
#include "data_files.h"
#include "formats/tinyruntime/make_tinyruntime.h"
#include "formats/tinyruntime/tinyruntime_parse.h"

namespace ambry::convert {
namespace {

using model::CnnRanges;
using model::CnnVariant;
using testing::File;

Result<model::Model> read(const File& file) {
  const io::MemorySource source(file);
  io::Diagnostics found;
  found.strictness = io::Strictness::Strict;
  return formats::tinyruntime::parse(source, found);
}

Result<File> quantized(const File& file, QuantizeOptions how) {
  Options options;
  options.to = "tinyruntime";
  options.quantize = std::move(how);
  return testing::run(file, SideFiles(), options);
}

Result<File> to_dq8(const File& file, uint64_t group, bool asymmetric) {
  QuantizeOptions how;
  how.type = "dq8";
  how.group = group;
  how.symmetric = !asymmetric;
  return quantized(file, std::move(how));
}

Result<File> to_sq8(const File& file, CnnRanges ranges) {
  QuantizeOptions how;
  how.type = "sq8";
  how.ranges = std::move(ranges);
  return quantized(file, std::move(how));
}

// core/formats/tinyruntime/README.md#unit-network
formats::tinyruntime::testing::Maker unit_net() {
  formats::tinyruntime::testing::Maker maker;
  maker.n_classes = 10;
  maker.convs = {{3, 1, 0, 1, 1, true}, {3, 1, 0, 1, 1, true}};
  maker.linears = {{3, 2, true}, {2, 1, false}};
  maker.batch_norms = {2};
  return maker;
}

TEST(Dq8, HasTheSizesOfTheReference) {
  const File vanilla = unit_net().make();
  ASSERT_EQ(vanilla.size(), 264U);
  const auto symmetric = to_dq8(vanilla, 10, false);
  ASSERT_TRUE(symmetric) << describe(symmetric.error());
  EXPECT_EQ(symmetric->size(), 250U);
  const auto asymmetric = to_dq8(vanilla, 10, true);
  ASSERT_TRUE(asymmetric) << describe(asymmetric.error());
  EXPECT_EQ(asymmetric->size(), 282U);
}

TEST(Dq8, RejectsInvalidValues) {
  const auto quantized = to_dq8(formats::tinyruntime::testing::make(CnnVariant::Sq8), 64, true);
  ASSERT_FALSE(quantized);
  EXPECT_EQ(quantized.error().code, ErrorCode::Unsupported);
  const auto groups_of_none = to_dq8(unit_net().make(), 0, true);
  ASSERT_FALSE(groups_of_none);
  EXPECT_EQ(groups_of_none.error().path, "options.group");
  formats::tinyruntime::testing::Maker maker = unit_net();
  File file = maker.make();
  formats::tinyruntime::testing::put_at(file, maker.places.data + 4,
                                        std::numeric_limits<float>::quiet_NaN());
  const auto not_a_number = to_dq8(file, 64, true);
  ASSERT_FALSE(not_a_number);
  EXPECT_EQ(not_a_number.error().code, ErrorCode::BadValue);
  EXPECT_NE(not_a_number.error().path.find("conv.0.weight"), std::string::npos);
  EXPECT_EQ(not_a_number.error().byte_offset, maker.places.data + 4);
}

// Every DQ8 file of the reference exporter, made from its float network.
TEST(Dq8, MatchesTheReferenceByteForByte) {
  AMBRY_NEEDS_DATA("tinyruntime/models");
  const auto folder = ambry::testing::data_folder() / "tinyruntime/models";
  const struct {
    const char* net;
    const char* name;
    uint64_t group;
    bool asymmetric;
  } kFiles[] = {{"r18w8", "dq8a64", 64, true}, {"r18w8", "dq8s64", 64, false},
                {"r50w4", "dq8a64", 64, true}, {"tinyA", "dq8a10", 10, true},
                {"tinyA", "dq8a64", 64, true}, {"tinyA", "dq8s2", 2, false},
                {"tinyA", "dq8s64", 64, false}};
  for (const auto& [net, name, group, asymmetric] : kFiles) {
    const File vanilla = *ambry::testing::read_file(folder / (std::string(net) + "_vanilla.bin"));
    const File expected =
        *ambry::testing::read_file(folder / (std::string(net) + "_" + name + ".bin"));
    const auto made = to_dq8(vanilla, group, asymmetric);
    ASSERT_TRUE(made) << net << name << describe(made.error());
    EXPECT_TRUE(*made == expected) << net << name;
  }
}

CnnRanges unit_ranges() {
  CnnRanges ranges;
  ranges.conv_weights = {1.5F, 2.5F};
  ranges.linear_weights = {1.5F, 0};
  ranges.activations = {{-1, 1}, {0, 127}, {-2, 0}, {0, 0}, {0.5F, 2.54F}};
  ranges.conv_flows = {{0, 1}, {1, 2}};
  ranges.linear_flows = {{2, 3}, {3, 4}};
  return ranges;
}

TEST(Sq8, QuantizesWeightsAndBiasesByTheObservedRanges) {
  formats::tinyruntime::testing::Maker maker = unit_net();
  const File vanilla = maker.make();
  const auto made = to_sq8(vanilla, unit_ranges());
  ASSERT_TRUE(made) << describe(made.error());
  const auto model = read(*made);
  ASSERT_TRUE(model) << describe(model.error());
  const auto table = model::cnn_table(model->config);
  ASSERT_TRUE(table) << describe(table.error());
  EXPECT_EQ(table->variant, CnnVariant::Sq8);
  EXPECT_EQ(table->convs[0].weight_scale, 1.5F / 127.5F);
  EXPECT_EQ(table->convs[0].out_scale, 1.0F);
  EXPECT_EQ(table->activations[0].zero_point, 64);  // 63.5 rounds to even
  EXPECT_EQ(table->activations[2].zero_point, 127);
  EXPECT_EQ(table->activations[3].scale, 0x1p-23F);
  EXPECT_EQ(table->activations[4].scale, 2.54F / 127.0F);  // 0 is always in the range
  EXPECT_EQ(table->linears[1].weight_scale, 0x1p-23F);
  // The weights are 0.5, 0.75, 1, 1.25, 1.5. The largest is 127.5 steps, which rounds to 128 and is
  // clamped.
  const auto codes = Bytes(*made).subspan(model->find("conv.0.weight")->offset);
  EXPECT_EQ(static_cast<int8_t>(codes[0]), 42);
  EXPECT_EQ(static_cast<int8_t>(codes[4]), 127);
  // Word 9 of the parameters is the bias 1.5.
  const float step = 1.5F / 127.5F * table->activations[0].scale;
  EXPECT_EQ(load_le<int32_t>(made->data() + model->find("conv.0.bias")->offset),
            static_cast<int32_t>(std::nearbyint(1.5F / step)));
}

TEST(Sq8, RejectsRangesOfAnotherNetwork) {
  const std::pair<const char*, void (*)(CnnRanges&)> kFaults[] = {
      {"a conv too few", [](CnnRanges& r) { r.conv_weights.pop_back(); }},
      {"a flow too few", [](CnnRanges& r) { r.linear_flows.pop_back(); }},
      {"an activation too few", [](CnnRanges& r) { r.activations.pop_back(); }},
      {"never seen", [](CnnRanges& r) { r.activations[1] = {1, -1}; }},
      {"not finite",
       [](CnnRanges& r) { r.activations[1] = {0, std::numeric_limits<float>::quiet_NaN()}; }}};
  for (const auto& [name, damage] : kFaults) {
    CnnRanges ranges = unit_ranges();
    damage(ranges);
    const auto made = to_sq8(unit_net().make(), ranges);
    ASSERT_FALSE(made) << name;
    EXPECT_EQ(made.error().code, ErrorCode::BadValue);
  }
}

TEST(Sq8, AsksForRanges) {
  QuantizeOptions how;
  how.type = "sq8";
  const auto made = quantized(unit_net().make(), how);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().path, "options.ranges");
}

}  // namespace
}  // namespace ambry::convert
