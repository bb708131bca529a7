#include "model/cnn/cnn_graph.h"

#include <gtest/gtest.h>

#include <functional>

namespace ambry::model {
namespace {

// A stem, a basic block, one with a shortcut, and the head. The values are kernel, stride, padding,
// in, out.
CnnTable residual() {
  CnnTable table;
  table.convs = {{7, 2, 3, 3, 4}, {3, 1, 1, 4, 4}, {3, 1, 1, 4, 4},
                 {3, 2, 1, 4, 8}, {3, 1, 1, 8, 8}, {1, 2, 0, 4, 8}};
  table.linears = {{1, 1, 0, 16, 6}, {1, 1, 0, 6, 3}};
  table.batch_norms = {{1, 1, 0, 16, 16}, {1, 1, 0, 6, 6}};
  return table;
}

CnnGraph residual_at(uint32_t side) {
  auto graph = residual_graph(residual(), side);
  EXPECT_TRUE(graph) << describe(graph.error());
  return std::move(graph).value();
}

TEST(CnnGraph, IsDerivedFromTheTableOfAResidualNetwork) {
  const CnnGraph graph = residual_at(32);
  const auto shapes = check_graph(graph, residual());
  ASSERT_TRUE(shapes) << describe(shapes.error());
  EXPECT_EQ((*shapes)[1], (CnnShape{4, 16, 16}));
  EXPECT_EQ((*shapes)[3], (CnnShape{4, 8, 8}));
  EXPECT_EQ(graph.nodes[3].op, CnnOp::Conv);
  const CnnNode& first_sum = graph.nodes[6];
  EXPECT_EQ(first_sum.op, CnnOp::Add);
  EXPECT_EQ(first_sum.other, 3U);
  const CnnNode& shortcut = graph.nodes[11];
  EXPECT_EQ(shortcut.index, 5U);
  EXPECT_EQ(shortcut.in, 8U);
  EXPECT_EQ((*shapes)[14], (CnnShape{8, 4, 4}));
  EXPECT_EQ(shapes->back(), CnnShape{3});
}

// ResNet-18 has 40 activations of these kinds. Here: a stem, a block without and one with a
// shortcut.
TEST(CnnGraph, IndexesActivationsLikeTheReference) {
  const CnnGraph graph = residual_at(32);
  const CnnActivationIndices numbering = index_activations(graph);
  EXPECT_EQ(numbering.count, 3U + 3U + 4U + 10U);
  EXPECT_EQ(numbering.points[0], std::vector<uint32_t>{0});
  EXPECT_EQ(numbering.points[7], std::vector<uint32_t>{5});
  EXPECT_EQ(numbering.points[13], std::vector<uint32_t>{9});
  EXPECT_EQ(numbering.points[15], (std::vector<uint32_t>{9, 12}));
  EXPECT_EQ(numbering.points[16], std::vector<uint32_t>{15});
  EXPECT_EQ(numbering.points[19], std::vector<uint32_t>{18});
  EXPECT_EQ(numbering.of_value[20], 19U);
}

TEST(CnnGraph, AsksForAPlanForOtherTables) {
  CnnTable table = residual();
  table.convs[1].kernel = 5;
  const auto graph = residual_graph(table, 32);
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(graph.error().path, "conv[1]");
  EXPECT_NE(graph.error().message.find("a plan is needed"), std::string::npos);
}

struct GraphFault {
  const char* name;
  std::function<void(CnnGraph&, CnnTable&)> make;
  ErrorCode code;
  const char* path;
};

class CnnGraphFault : public ::testing::TestWithParam<GraphFault> {};

TEST_P(CnnGraphFault, IsReported) {
  CnnTable table = residual();
  CnnGraph graph = residual_at(32);
  GetParam().make(graph, table);
  const auto shapes = check_graph(graph, table);
  ASSERT_FALSE(shapes);
  EXPECT_EQ(shapes.error().code, GetParam().code) << describe(shapes.error());
  EXPECT_EQ(shapes.error().path, GetParam().path) << describe(shapes.error());
}

void to_sq8(CnnTable& table, size_t n_activations) {
  table.variant = CnnVariant::Sq8;
  table.activations.resize(n_activations, {1, 0});
}

const GraphFault kGraphFaults[] = {
    {"NoInput", [](auto& g, auto&) { g.input.height = 0; }, ErrorCode::BadValue, "plan.input"},
    {"HugeInput", [](auto& g, auto&) { g.input.height = g.input.width = 1U << 20U; },
     ErrorCode::LimitExceeded, "plan.input"},
    {"InputPastTheLimit", [](auto& g, auto&) { g.input.height = g.input.width = 0x7FFFFFFF; },
     ErrorCode::BadValue, "plan.input"},
    {"TooManyNodes", [](auto& g, auto&) { g.nodes.resize(kMaxCnnNodes + 1); },
     ErrorCode::LimitExceeded, "plan.nodes"},
    {"ConvOfOtherChannels", [](auto& g, auto&) { g.input.channels = 4; }, ErrorCode::Mismatch,
     "plan.nodes[0]"},
    {"IndexPastTheTable", [](auto& g, auto&) { g.nodes[0].index = 6; }, ErrorCode::BadValue,
     "plan.nodes[0]"},
    {"LayerUsedTwice", [](auto& g, auto&) { g.nodes[5].index = 1; }, ErrorCode::BadValue,
     "plan.nodes[5]"},
    {"LayerNeverUsed", [](auto&, auto& t) { t.convs.push_back({1, 1, 0, 1, 1}); },
     ErrorCode::BadValue, "plan.nodes"},
    {"ValueOfTheFuture", [](auto& g, auto&) { g.nodes[4].in = 9; }, ErrorCode::BadValue,
     "plan.nodes[4]"},
    {"ValueThatNobodyUses",
     [](auto& g, auto&) {
       g.nodes.insert(g.nodes.begin() + 1, g.nodes[1]);
       for (size_t i = 2; i < g.nodes.size(); ++i) g.nodes[i].in += g.nodes[i].in >= 2 ? 1U : 0U;
       for (auto& node : g.nodes) node.other += node.other >= 2 ? 1U : 0U;
       ++g.output;
     },
     ErrorCode::BadValue, "plan.nodes[1]"},
    {"OutputPastTheEnd", [](auto& g, auto&) { g.output = 99; }, ErrorCode::BadValue, "plan.output"},
    {"SumOfOtherForms", [](auto& g, auto&) { g.nodes[12].other = 8; }, ErrorCode::Mismatch,
     "plan.nodes[12]"},
    {"PoolOfNoStride", [](auto& g, auto&) { g.nodes[2].stride = 0; }, ErrorCode::BadValue,
     "plan.nodes[2]"},
    {"PoolPaddedByItsKernel", [](auto& g, auto&) { g.nodes[2].padding = 3; }, ErrorCode::BadValue,
     "plan.nodes[2]"},
    {"WindowWithoutPlace", [](auto& g, auto&) { g.nodes[2].kernel = 30; }, ErrorCode::Mismatch,
     "plan.nodes[2]"},
    {"PaddingPastMemory", [](auto&, auto& t) { t.convs[0].padding = 1 << 20; },
     ErrorCode::LimitExceeded, "plan.nodes[0]"},
    {"MapThatIsNotSquare", [](auto& g, auto&) { g.input.width = 96; }, ErrorCode::Mismatch,
     "plan.nodes[14]"},
    {"LinearOfAMap", [](auto& g, auto&) { g.nodes[14].op = CnnOp::Relu; }, ErrorCode::Mismatch,
     "plan.nodes[15]"},
    {"NormOfOtherChannels", [](auto&, auto& t) { t.batch_norms[0].in = 15; }, ErrorCode::Mismatch,
     "plan.nodes[15]"},
    {"SoftmaxInTheMiddle", [](auto& g, auto&) { g.nodes[1].op = CnnOp::Softmax; },
     ErrorCode::BadValue, "plan.nodes[1]"},
    {"TooManyChannelsOfZeros",
     [](auto& g, auto&) {
       g.nodes[1].op = CnnOp::PadChannels;
       g.nodes[1].after = 1U << 31U;
     },
     ErrorCode::BadValue, "plan.nodes[1]"},
    {"BytesQuantizedAnew", [](auto& g, auto&) { g.nodes[1].quantize = {0}; }, ErrorCode::BadValue,
     "plan.nodes[1]"},
    {"TooFewActivations", [](auto&, auto& t) { to_sq8(t, 18); }, ErrorCode::BadValue,
     "plan.nodes[18]"},
    {"ActivationPastTheTable",
     [](auto& g, auto& t) {
       to_sq8(t, 20);
       g.nodes[6].quantize = {20};
     },
     ErrorCode::BadValue, "plan.nodes[6]"},
};

INSTANTIATE_TEST_SUITE_P(All, CnnGraphFault, ::testing::ValuesIn(kGraphFaults),
                         [](const auto& fault) { return std::string(fault.param.name); });

TEST(CnnGraph, AcceptsTheActivationsOfItsTable) {
  CnnTable table = residual();
  to_sq8(table, 20);
  EXPECT_TRUE(check_graph(residual_at(32), table));
}

}  // namespace
}  // namespace ambry::model
