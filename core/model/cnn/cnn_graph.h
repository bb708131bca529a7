// How values flow through a convolutional network. tinyRuntime's files hold layers and no graph
// (core/formats/tinyruntime/README.md#graph), so it is read off the table where that follows a
// strict grammar, or stated in a plan beside the file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/cnn/cnn_table.h"

namespace ambry::model {

// Planes one after another; numbers without a place are channels of 1 × 1.
struct CnnShape {
  uint32_t channels = 0;
  uint32_t height = 1;
  uint32_t width = 1;

  // Exact in a checked graph.
  [[nodiscard]] uint64_t plane() const { return uint64_t{height} * width; }
  [[nodiscard]] uint64_t count() const { return plane() * channels; }
  friend bool operator==(const CnnShape&, const CnnShape&) = default;
};

enum class CnnOp : uint8_t {
  Conv,
  Relu,
  MaxPool,      // from 0 on, as the reference has it
  AveragePool,  // of k² numbers, those of the padding with them
  Add,
  ConcatPool,  // of whole square maps: the largest of each channel, then the mean of each
  Flatten,
  BatchNorm,
  Linear,
  PadChannels,  // channels of zeros before and after
  Softmax,
};

// One step. Value 0 is the input, value i + 1 what node i gives.
struct CnnNode {
  CnnOp op = CnnOp::Relu;
  uint32_t in = 0;
  uint32_t beside = 0;  // Add: the other operand
  uint32_t index = 0;   // Conv, BatchNorm, Linear: in the table
  // Pools.
  uint32_t kernel = 1;
  uint32_t stride = 1;
  uint32_t padding = 0;
  // PadChannels.
  uint32_t before = 0;
  uint32_t after = 0;
  // SQ8, where floats are worked out: the activations that turn the result into bytes, one after
  // another; empty for those of index_activations().
  std::vector<uint32_t> quantize;

  friend bool operator==(const CnnNode&, const CnnNode&) = default;
};

// Far above real networks.
inline constexpr size_t kMaxCnnNodes = 4096;

struct CnnGraph {
  CnnShape input;
  std::vector<CnnNode> nodes;
  uint32_t output = 0;  // a value

  friend bool operator==(const CnnGraph&, const CnnGraph&) = default;
};

// An operation as plans write it: its name, its numbers in their order, and its operands.
struct CnnOpForm {
  std::string_view name;
  std::array<uint32_t CnnNode::*, 3> parameters;  // those that are set
  uint32_t n_parameters = 0;
  uint32_t n_operands = 1;
};
[[nodiscard]] const CnnOpForm& cnn_op_form(CnnOp op);
// The operation of this name; nullptr when there is none.
[[nodiscard]] const CnnOp* find_cnn_op(std::string_view name);

// The graph of a residual network for images of side × side (cnn_blocks.h). Unsupported, saying
// where and that a plan is needed, for any other table.
[[nodiscard]] Result<CnnGraph> residual_graph(const CnnTable& table, uint32_t side);

// The same for images of n_values numbers; BadValue with the path `input` when they are no square
// of the first conv's channels.
[[nodiscard]] Result<CnnGraph> residual_graph_of(const CnnTable& table, uint64_t n_values);

// Appends a node and gives its value.
uint32_t append_node(CnnGraph& graph, CnnNode node);
// Appends the head that tinyRuntime knows, from a map to logits: pools, batch norm 0, linear 0,
// batch norm 1, linear 1.
uint32_t append_head(CnnGraph& graph, uint32_t from);

// The shapes of all values. An error names the node: Mismatch for shapes that do not go together,
// BadValue for numbers out of range, a layer used twice or never, or a value that nobody uses,
// LimitExceeded for maps or work past any real network's.
[[nodiscard]] Result<std::vector<CnnShape>> check_graph(const CnnGraph& graph,
                                                        const CnnTable& table);

// Which numbers of SQ8's activation table belong to which values, as PyTorch's observers count them
// (core/formats/tinyruntime/README.md#activation-numbers); ReLUs share the number of what they
// rectify.
struct CnnActivationIndices {
  struct Run {
    uint32_t first = 0;
    uint32_t count = 0;
  };

  std::vector<Run> own;                       // by value
  std::vector<uint32_t> of_value;             // the activation that the value's bytes follow
  std::vector<std::vector<uint32_t>> points;  // by value: what turns it into bytes, in turn
  uint32_t count = 0;
};
[[nodiscard]] CnnActivationIndices index_activations(const CnnGraph& graph);

}  // namespace ambry::model
