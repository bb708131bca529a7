#include "model/cnn/cnn_plan.h"

#include <gtest/gtest.h>

namespace ambry::model {
namespace {

constexpr const char* kPlan = R"({"input": [1, 8, 8],
  "nodes": [["conv", 0, "x", "a"], ["relu", "a", "a"], ["maxpool", 2, 2, 0, "a", "b"],
            ["conv", 1, "b", "c"], ["pad_channels", 1, 2, "c", "c"],
            ["add", "b", "c", "d", {"quantize": 4}],
            ["concat_pool", "d", "e", {"quantize": [4, 7]}], ["linear", 0, "e", "y"]],
  "output": "y",
  "image": {"mean": [0.5], "std": [0.25], "resize": "stretch"},
  "labels": ["no", "yes"]})";

CnnPlan read(std::string_view text) {
  auto plan = read_cnn_plan(text);
  EXPECT_TRUE(plan) << describe(plan.error());
  return plan ? std::move(plan).value() : CnnPlan();
}

TEST(CnnPlan, ReadsAPlanWithAllParts) {
  const CnnPlan plan = read(kPlan);
  EXPECT_EQ(plan.graph.input, (CnnShape{1, 8, 8}));
  ASSERT_EQ(plan.graph.nodes.size(), 8U);
  EXPECT_EQ(plan.graph.nodes[2].op, CnnOp::MaxPool);
  EXPECT_EQ(plan.graph.nodes[2].kernel, 2U);
  EXPECT_EQ(plan.graph.nodes[2].in, 2U) << "the name stands for what got it last";
  EXPECT_EQ(plan.graph.nodes[4].before, 1U);
  EXPECT_EQ(plan.graph.nodes[4].after, 2U);
  EXPECT_EQ(plan.graph.nodes[5].in, 3U);
  EXPECT_EQ(plan.graph.nodes[5].other, 5U);
  EXPECT_EQ(plan.graph.nodes[6].quantize, (std::vector<uint32_t>{4, 7}));
  EXPECT_EQ(plan.graph.output, 8U);
  ASSERT_TRUE(plan.image);
  EXPECT_EQ(plan.image->mean, std::vector<float>{0.5F});
  EXPECT_FALSE(plan.image->crop);
  EXPECT_EQ(plan.labels, (std::vector<std::string>{"no", "yes"}));
}

TEST(CnnPlan, ReadsBackTheDocumentItWrites) {
  const CnnPlan plan = read(kPlan);
  const std::string text = cnn_plan_document(plan).dump();
  EXPECT_EQ(read(text), plan) << text;
  EXPECT_EQ(cnn_plan_document(read(text)).dump(), text);
}

TEST(CnnPlan, ReadsTheShortFormOfAChain) {
  const CnnPlan plan =
      read(R"({"input": [3, 32, 32], "ops": ["conv", "relu", "maxpool:2:2:0", "conv", "tail"]})");
  ASSERT_EQ(plan.graph.nodes.size(), 4U + 6U);
  EXPECT_EQ(plan.graph.nodes[3].index, 1U);
  EXPECT_EQ(plan.graph.nodes[2].stride, 2U);
  EXPECT_EQ(plan.graph.nodes[4].op, CnnOp::ConcatPool);
  EXPECT_EQ(plan.graph.nodes[9].index, 1U);
  EXPECT_EQ(plan.image, default_image(3)) << "ImageNet's, where the plan says nothing";
}

struct PlanFault {
  const char* name;
  const char* text;
  ErrorCode code;
  const char* path;
};

class CnnPlanFault : public ::testing::TestWithParam<PlanFault> {};

TEST_P(CnnPlanFault, IsReported) {
  const auto plan = read_cnn_plan(GetParam().text);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, GetParam().code) << describe(plan.error());
  EXPECT_EQ(plan.error().path, GetParam().path) << describe(plan.error());
}

constexpr ErrorCode kBad = ErrorCode::BadValue;

const PlanFault kPlanFaults[] = {
    {"NoJson", "{", ErrorCode::Truncated, "plan"},
    {"NoObject", "[]", kBad, "plan"},
    {"NoInput", R"({"ops": []})", kBad, "plan.input"},
    {"InputOfTwo", R"({"input": [3, 8], "ops": []})", kBad, "plan.input"},
    {"InputOfFractions", R"({"input": [3, 8.5, 8], "ops": []})", kBad, "plan.input[1]"},
    {"NegativeInput", R"({"input": [3, 8, -8], "ops": []})", kBad, "plan.input[2]"},
    {"NoNodes", R"({"input": [3, 8, 8]})", kBad, "plan.nodes"},
    {"NodesAndOps", R"({"input": [3, 8, 8], "nodes": [], "ops": []})", kBad, "plan.nodes"},
    {"NodesNoList", R"({"input": [3, 8, 8], "nodes": 7})", kBad, "plan.nodes"},
    {"NodeNoList", R"({"input": [3, 8, 8], "nodes": ["relu"]})", kBad, "plan.nodes[0]"},
    {"UnknownOperation", R"({"input": [3, 8, 8], "nodes": [["gelu", "x", "y"]]})",
     ErrorCode::Unsupported, "plan.nodes[0][0]"},
    {"OperandMissing", R"({"input": [3, 8, 8], "nodes": [["relu", "x"]]})", kBad, "plan.nodes[0]"},
    {"OperandNobodyMade", R"({"input": [3, 8, 8], "nodes": [["relu", "b", "y"]]})",
     ErrorCode::NotFound, "plan.nodes[0][1]"},
    {"SecondOperandNobodyMade", R"({"input": [3, 8, 8], "nodes": [["add", "x", "y", "y"]]})",
     ErrorCode::NotFound, "plan.nodes[0][2]"},
    {"IndexNoNumber", R"({"input": [3, 8, 8], "nodes": [["conv", "x", "x", "y"]]})", kBad,
     "plan.nodes[0][1]"},
    {"IndexPast32Bits", R"({"input": [3, 8, 8], "nodes": [["conv", 4294967296, "x", "y"]]})", kBad,
     "plan.nodes[0][1]"},
    {"ResultNoName", R"({"input": [3, 8, 8], "nodes": [["relu", "x", 1]]})", kBad,
     "plan.nodes[0][2]"},
    {"ExtraUnknown", R"({"input": [3, 8, 8], "nodes": [["relu", "x", "y", {"q": 1}]]})", kBad,
     "plan.nodes[0][3]"},
    {"QuantizeNoNumber",
     R"({"input": [3, 8, 8], "nodes": [["relu", "x", "y", {"quantize": ["a"]}]]})", kBad,
     "plan.nodes[0][3].quantize"},
    {"OutputNobodyMade", R"({"input": [3, 8, 8], "nodes": [["relu", "x", "y"]], "output": "z"})",
     ErrorCode::NotFound, "plan.output"},
    {"MisspeltKey", R"({"input": [3, 8, 8], "ops": [], "label": []})", kBad, "plan.label"},
    {"AddInAChain", R"({"input": [3, 8, 8], "ops": ["add"]})", ErrorCode::Unsupported,
     "plan.ops[0]"},
    {"PoolWithoutNumbers", R"({"input": [3, 8, 8], "ops": ["maxpool:2:2"]})", kBad, "plan.ops[0]"},
    {"PoolOfTooMany", R"({"input": [3, 8, 8], "ops": ["maxpool:2:2:0:1"]})", kBad, "plan.ops[0]"},
    {"OpNoText", R"({"input": [3, 8, 8], "ops": [1]})", kBad, "plan.ops[0]"},
    {"OutputOfAChain", R"({"input": [3, 8, 8], "ops": ["relu"], "output": "y"})", kBad,
     "plan.output"},
    {"ImageOfTwoChannels",
     R"({"input": [2, 8, 8], "ops": [], "image": {"mean": [1, 1], "std": [1, 1]}})", kBad,
     "plan.image"},
    {"MeanOfTooFew", R"({"input": [3, 8, 8], "ops": [], "image": {"mean": [1], "std": [1]}})", kBad,
     "plan.image.mean"},
    {"StdOfZero", R"({"input": [1, 8, 8], "ops": [], "image": {"mean": [1], "std": [0]}})", kBad,
     "plan.image.std"},
    {"StdPastFloat", R"({"input": [1, 8, 8], "ops": [], "image": {"mean": [1], "std": [1e99]}})",
     kBad, "plan.image.std"},
    {"ResizeUnknown",
     R"({"input": [1, 8, 8], "ops": [], "image": {"mean": [1], "std": [1], "resize": "pad"}})",
     kBad, "plan.image.resize"},
    {"ImageMisspelt",
     R"({"input": [1, 8, 8], "ops": [], "image": {"mean": [1], "std": [1], "size": 2}})", kBad,
     "plan.image.size"},
    {"LabelNoText", R"({"input": [3, 8, 8], "ops": [], "labels": [1]})", kBad, "plan.labels[0]"},
};

INSTANTIATE_TEST_SUITE_P(All, CnnPlanFault, ::testing::ValuesIn(kPlanFaults),
                         [](const auto& fault) { return std::string(fault.param.name); });

TEST(CnnPlan, RejectsTooManyNodes) {
  std::string text = R"({"input": [3, 8, 8], "ops": ["relu")";
  for (size_t i = 0; i < kMaxCnnNodes; ++i) text += R"(,"relu")";
  const auto plan = read_cnn_plan(text + "]}");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::LimitExceeded);
}

}  // namespace
}  // namespace ambry::model
