#include "model/cnn/cnn_table.h"

#include <gtest/gtest.h>

namespace ambry::model {
namespace {

CnnLayer layer(int32_t kernel, int32_t in, int32_t out) {
  CnnLayer layer;
  layer.kernel = kernel;
  layer.in = in;
  layer.out = out;
  return layer;
}

CnnTable dq8() {
  CnnTable table;
  table.variant = CnnVariant::Dq8;
  table.asymmetric = true;
  table.n_classes = 10;
  CnnLayer conv = layer(3, 4, 6);
  conv.bias = 1;
  conv.weight_group = 12;
  conv.bias_group = 2;
  table.convs = {conv};
  CnnLayer linear = layer(1, 6, 2);
  linear.weight_group = 6;
  table.linears = {linear};
  table.batch_norms = {layer(1, 6, 6)};
  return table;
}

std::vector<std::string> names(const CnnTable& table, CnnKind kind) {
  std::vector<std::string> names;
  for (const CnnTensor& tensor : cnn_tensors(table, kind, 0)) {
    names.push_back(tensor.name + " " + std::string(dtype_name(tensor.dtype)) + " " +
                    to_string(tensor.shape));
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(CnnTable, NamesTheTensorsOfEachVariant) {
  CnnTable table = dq8();
  EXPECT_EQ(names(table, CnnKind::Conv),
            (Names{"conv.0.weight i8 [6, 4, 3, 3]", "conv.0.weight.scale f32 [6, 3]",
                   "conv.0.weight.zero_point i32 [6, 3]", "conv.0.bias i8 [6]",
                   "conv.0.bias.scale f32 [3]", "conv.0.bias.zero_point i32 [3]"}));
  table.asymmetric = false;
  EXPECT_EQ(names(table, CnnKind::Linear),
            (Names{"linear.0.weight i8 [2, 6]", "linear.0.weight.scale f32 [2, 1]"}));
  table.variant = CnnVariant::Sq8;
  EXPECT_EQ(names(table, CnnKind::Conv),
            (Names{"conv.0.weight i8 [6, 4, 3, 3]", "conv.0.bias i32 [6]"}));
  table.variant = CnnVariant::Vanilla;
  EXPECT_EQ(names(table, CnnKind::Linear), (Names{"linear.0.weight f32 [2, 6]"}));
  EXPECT_EQ(names(table, CnnKind::BatchNorm),
            (Names{"batchnorm.0.weight f32 [6]", "batchnorm.0.bias f32 [6]",
                   "batchnorm.0.running_mean f32 [6]", "batchnorm.0.running_var f32 [6]"}));
}

TEST(CnnTable, RoundTripsThroughItsConfig) {
  CnnTable sq8 = dq8();
  sq8.variant = CnnVariant::Sq8;
  for (auto* layers : {&sq8.convs, &sq8.linears}) {
    layers->front().weight_group = layers->front().bias_group = 0;
    layers->front().weight_scale = 0.1F;
    layers->front().weight_zero_point = -128;
    layers->front().out_scale = 1e-30F;
    layers->front().out_zero_point = 255;
  }
  sq8.activations = {{0.3F, 0}, {3.4e38F, 255}};
  CnnTable vanilla = dq8();
  vanilla.variant = CnnVariant::Vanilla;
  vanilla.asymmetric = false;
  for (auto* layers : {&vanilla.convs, &vanilla.linears}) {
    layers->front().weight_group = layers->front().bias_group = 0;
  }
  for (const CnnTable& table : {dq8(), sq8, vanilla}) {
    const auto config = io::parse_json(cnn_config(table).dump());
    ASSERT_TRUE(config);
    const auto again = cnn_table(*config);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(*again, table) << config->dump();
  }
}

TEST(CnnTable, UsesTheNamesOfTheFormatPage) {
  const io::Json config = cnn_config(dq8());
  EXPECT_EQ(config.find("layers")->items()[0].dump(),
            R"({"name":"conv.0","kind":"conv","k":3,"stride":1,"pad":0,"ic":4,"oc":6,"gs_w":12,)"
            R"("gs_b":2,"bias":true})");
  EXPECT_EQ(config.find("layers")->items()[2].dump(),
            R"({"name":"batchnorm.0","kind":"batchnorm","n":6})");
}

TEST(CheckLayer, ReportsEveryIndependentFault) {
  CnnLayer conv = dq8().convs[0];
  EXPECT_TRUE(check_layer(CnnVariant::Dq8, CnnKind::Conv, conv, 216).empty());
  conv.stride = 0;
  conv.padding = -1;
  conv.bias_group = -2;
  EXPECT_EQ(check_layer(CnnVariant::Dq8, CnnKind::Conv, conv, 216).size(), 3U);
}

// Products that pass 32 and 64 bits.
TEST(CheckLayer, RejectsMoreWeightsThanTheFileCanHold) {
  constexpr int32_t kMost = 1 << 20;
  const auto of = [](int32_t kernel, int32_t in, int32_t out, uint64_t most) {
    const auto faults =
        check_layer(CnnVariant::Vanilla, CnnKind::Conv, layer(kernel, in, out), most);
    return faults.empty() ? std::optional<ErrorCode>() : faults[0].code;
  };
  EXPECT_EQ(of(3, 4, 6, 216), std::nullopt);
  EXPECT_EQ(of(3, 4, 6, 215), ErrorCode::Truncated);
  EXPECT_EQ(of(1, 65536, 65536, UINT32_MAX), ErrorCode::Truncated);
  EXPECT_EQ(of(kMost, kMost, kMost, UINT64_MAX), ErrorCode::Overflow);
  EXPECT_EQ(of(kMost + 1, 1, 1, UINT64_MAX), ErrorCode::BadValue);
}

}  // namespace
}  // namespace ambry::model
