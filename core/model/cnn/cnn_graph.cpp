#include "model/cnn/cnn_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/cnn/cnn_blocks.h"

namespace ambry::model {
namespace {

constexpr std::array<CnnOpForm, 11> kForms = {{
    {"conv", {&CnnNode::index}, 1},
    {"relu", {}},
    {"maxpool", {&CnnNode::kernel, &CnnNode::stride, &CnnNode::padding}, 3},
    {"avgpool", {&CnnNode::kernel, &CnnNode::stride, &CnnNode::padding}, 3},
    {"add", {}, 0, 2},
    {"concat_pool", {}},
    {"flatten", {}},
    {"batchnorm", {&CnnNode::index}, 1},
    {"linear", {&CnnNode::index}, 1},
    {"pad_channels", {&CnnNode::before, &CnnNode::after}, 2},
    {"softmax", {}},
}};

constexpr auto kOps = [] {
  std::array<CnnOp, kForms.size()> ops{};
  for (size_t i = 0; i < ops.size(); ++i) ops[i] = static_cast<CnnOp>(i);
  return ops;
}();

CnnNode node_of(CnnOp op, uint32_t in, uint32_t index = 0) {
  CnnNode node;
  node.op = op;
  node.in = in;
  node.index = index;
  return node;
}

uint32_t append_block(CnnGraph& graph, const CnnBlock& block, uint32_t from) {
  const auto first = static_cast<uint32_t>(block.first);
  const auto n_convs = static_cast<uint32_t>(block.n_convs);
  uint32_t value = append_node(graph, node_of(CnnOp::Conv, from, first));
  for (uint32_t i = 1; i < n_convs; ++i) {
    value = append_node(graph, node_of(CnnOp::Relu, value));
    value = append_node(graph, node_of(CnnOp::Conv, value, first + i));
  }
  if (block.shortcut) from = append_node(graph, node_of(CnnOp::Conv, from, first + n_convs));
  CnnNode sum = node_of(CnnOp::Add, value);
  sum.other = from;
  return append_node(graph, node_of(CnnOp::Relu, append_node(graph, std::move(sum))));
}

}  // namespace

const CnnOpForm& cnn_op_form(CnnOp op) { return kForms[static_cast<size_t>(op)]; }

const CnnOp* find_cnn_op(std::string_view name) {
  for (const CnnOp& op : kOps) {
    if (cnn_op_form(op).name == name) return &op;
  }
  return nullptr;
}

uint32_t append_node(CnnGraph& graph, CnnNode node) {
  graph.nodes.push_back(std::move(node));
  graph.output = static_cast<uint32_t>(graph.nodes.size());
  return graph.output;
}

uint32_t append_head(CnnGraph& graph, uint32_t from) {
  uint32_t value = append_node(graph, node_of(CnnOp::ConcatPool, from));
  value = append_node(graph, node_of(CnnOp::BatchNorm, value, 0));
  value = append_node(graph, node_of(CnnOp::Linear, value, 0));
  value = append_node(graph, node_of(CnnOp::Relu, value));
  value = append_node(graph, node_of(CnnOp::BatchNorm, value, 1));
  return append_node(graph, node_of(CnnOp::Linear, value, 1));
}

Result<CnnGraph> residual_graph(const CnnTable& table, uint32_t side) {
  auto blocks = cnn_blocks(table);
  if (!blocks) {
    const Error& error = blocks.error();
    return make_error(error.code, error.path,
                      {"the graph is unknown, so a plan is needed: ", error.message});
  }
  CnnGraph graph;
  graph.input = {static_cast<uint32_t>(table.convs[0].in), side, side};
  uint32_t value = append_node(graph, node_of(CnnOp::Conv, 0, 0));
  CnnNode pool = node_of(CnnOp::MaxPool, append_node(graph, node_of(CnnOp::Relu, value)));
  pool.kernel = 3;
  pool.stride = 2;
  pool.padding = 1;
  value = append_node(graph, std::move(pool));
  for (const CnnBlock& block : *blocks) value = append_block(graph, block, value);
  append_head(graph, value);
  return graph;
}

Result<CnnGraph> residual_graph_of(const CnnTable& table, uint64_t n_values) {
  AMBRY_TRY(CnnGraph graph, residual_graph(table, 0));
  const uint64_t pixels = n_values / graph.input.channels;
  const auto side = static_cast<uint64_t>(std::sqrt(static_cast<double>(pixels)));
  if (side * side * graph.input.channels != n_values || side > UINT32_MAX || side == 0) {
    return make_error(
        ErrorCode::BadValue, "input",
        {n_values, " values do not form a square of ", graph.input.channels, " channels"});
  }
  graph.input.height = graph.input.width = static_cast<uint32_t>(side);
  return graph;
}

CnnActivationIndices index_activations(const CnnGraph& graph) {
  CnnActivationIndices numbering;
  const auto add = [&](CnnActivationIndices::Run own, uint32_t of_value,
                       std::vector<uint32_t> points) {
    numbering.count = std::max(numbering.count, own.first + own.count);
    numbering.own.push_back(own);
    numbering.of_value.push_back(of_value);
    numbering.points.push_back(std::move(points));
  };
  add({0, 1}, 0, {0});
  for (const CnnNode& node : graph.nodes) {
    const uint32_t next = numbering.count;
    const uint32_t before = numbering.of_value[node.in];
    switch (node.op) {
      case CnnOp::Conv:
      case CnnOp::Linear:
        add({next, 1}, next, {});
        break;
      case CnnOp::MaxPool:  // the bytes stay codes of the same activation
        add({next, 1}, before, {});
        break;
      case CnnOp::AveragePool:
      case CnnOp::Add:
        add({next, 1}, next, {next});
        break;
      case CnnOp::ConcatPool:  // the two pools, their concatenation, and its view as a row
        add({next, 4}, next + 2, {before, next + 2});
        break;
      case CnnOp::BatchNorm:  // and the dropout after it
        add({next, 2}, next + 1, {next + 1});
        break;
      case CnnOp::Relu:
        add(numbering.own[node.in], before, {});
        break;
      default:
        add({next, 0}, before, {});
    }
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const std::vector<uint32_t>& stated = graph.nodes[i].quantize;
    if (stated.empty()) continue;
    numbering.points[i + 1] = stated;
    numbering.of_value[i + 1] = stated.back();
  }
  return numbering;
}

}  // namespace ambry::model
