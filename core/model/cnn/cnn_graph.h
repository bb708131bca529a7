// The graph of a convolutional network: how values flow from layer to layer. tinyRuntime's files
// have layers but no graph (core/formats/tinyruntime/README.md#graph). It is derived from the table
// if that follows a strict grammar; otherwise a plan beside the file states it.
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

// One plane for each channel, one after another. A vector has planes of 1 × 1.
struct CnnShape {
  uint32_t channels = 0;
  uint32_t height = 1;
  uint32_t width = 1;

  // The values of a plane, and of all planes. They do not overflow in a checked graph.
  [[nodiscard]] uint64_t plane() const { return uint64_t{height} * width; }
  [[nodiscard]] uint64_t count() const { return plane() * channels; }
  friend bool operator==(const CnnShape&, const CnnShape&) = default;
};

enum class CnnOp : uint8_t {
  Conv,
  Relu,
  MaxPool,      // the maximum starts at 0, as in the reference
  AveragePool,  // divides by k², so padding counts
  Add,
  ConcatPool,  // of square maps: the maximum of each channel, then the mean of each
  Flatten,
  BatchNorm,
  Linear,
  PadChannels,  // adds channels of zeros before and after
  Softmax,
};

// One operation. Value 0 is the input; value i + 1 is the result of node i.
struct CnnNode {
  CnnOp op = CnnOp::Relu;
  uint32_t in = 0;
  uint32_t other = 0;  // Add: the other operand
  uint32_t index = 0;  // Conv, BatchNorm, Linear: index in the table
  // For pools.
  uint32_t kernel = 1;
  uint32_t stride = 1;
  uint32_t padding = 0;
  // For PadChannels.
  uint32_t before = 0;
  uint32_t after = 0;
  // SQ8, for operations on floats: the activations that quantize the result, in order. Empty: those
  // of index_activations().
  std::vector<uint32_t> quantize;

  friend bool operator==(const CnnNode&, const CnnNode&) = default;
};

// Far above any real network.
inline constexpr size_t kMaxCnnNodes = 4096;

struct CnnGraph {
  CnnShape input;
  std::vector<CnnNode> nodes;
  uint32_t output = 0;  // index of a value

  friend bool operator==(const CnnGraph&, const CnnGraph&) = default;
};

// How plans write an operation: its name, its parameters in order, and its operands.
struct CnnOpForm {
  std::string_view name;
  std::array<uint32_t CnnNode::*, 3> parameters;  // the first n_parameters are set
  uint32_t n_parameters = 0;
  uint32_t n_operands = 1;
};
[[nodiscard]] const CnnOpForm& cnn_op_form(CnnOp op);
// Finds an operation by name. Returns nullptr when there is none.
[[nodiscard]] const CnnOp* find_cnn_op(std::string_view name);

// The graph of a residual network for images of side × side (cnn_blocks.h). Unsupported, with the
// place, for any other table: it needs a plan.
[[nodiscard]] Result<CnnGraph> residual_graph(const CnnTable& table, uint32_t side);

// The graph for images of n_values values. BadValue with the path `input` when they do not form
// squares of the first conv's channels.
[[nodiscard]] Result<CnnGraph> residual_graph_of(const CnnTable& table, uint64_t n_values);

// Appends a node and returns its value.
uint32_t append_node(CnnGraph& graph, CnnNode node);
// Appends the head that tinyRuntime supports, from a map to logits: pools, batch norm 0, linear 0,
// batch norm 1, linear 1.
uint32_t append_head(CnnGraph& graph, uint32_t from);

// Computes the shapes of all values. Errors name the node: Mismatch for shapes that do not match;
// BadValue for parameters out of range, for a layer used twice or never and for an unused value;
// LimitExceeded for maps or work far beyond any real network.
[[nodiscard]] Result<std::vector<CnnShape>> check_graph(const CnnGraph& graph,
                                                        const CnnTable& table);

// The indices in SQ8's activation table for each value, counted as PyTorch's observers count them
// (core/formats/tinyruntime/README.md#activation-numbers). A ReLU shares the index of its input.
struct CnnActivationIndices {
  struct Run {
    uint32_t first = 0;
    uint32_t count = 0;
  };

  std::vector<Run> own;                       // for each value: its own indices
  std::vector<uint32_t> of_value;             // for each value: the activation of its bytes
  std::vector<std::vector<uint32_t>> points;  // for each value: what quantizes it, in order
  uint32_t count = 0;
};
[[nodiscard]] CnnActivationIndices index_activations(const CnnGraph& graph);

}  // namespace ambry::model
