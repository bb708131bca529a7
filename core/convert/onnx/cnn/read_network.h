// A graph of ONNX that is a convolutional network for pictures, as layers and as a plan that says
// how values flow between them. Every node is one of the operations of tinyRuntime's networks, with
// every attribute as they have it; any other graph is refused by the node's name.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "convert/onnx/graph/onnx_file.h"
#include "convert/plan/plan.h"
#include "model/cnn/cnn_graph.h"
#include "model/cnn/cnn_table.h"

namespace ambry::convert::onnx {

// A layer with its weights, each a number in CnnGraphLayers::weights.
struct GraphLayer {
  static constexpr uint32_t kNone = UINT32_MAX;

  model::CnnKind kind = model::CnnKind::Conv;
  uint32_t weight = kNone;
  uint32_t bias = kNone;
  uint32_t stride = 1;   // of convs
  uint32_t padding = 0;  // of convs
  // For batch norms; for convs those of the batch norm that is folded into them, if norm[0] is
  // there: weight, bias, mean, variance.
  std::array<uint32_t, 4> norm = {kNone, kNone, kNone, kNone};
};

struct GraphNetwork {
  std::vector<Input> weights;
  std::vector<GraphLayer> layers;  // in the order in which the graph runs them
  model::CnnGraph graph;           // numbers the layers of each kind in this order
};

// For a graph that takes no picture, the error of refuse_undescribed. Unsupported, with the node's
// name, operator and place, for what no network for pictures has. NeedBytes while small constants
// are missing.
[[nodiscard]] Result<GraphNetwork> read_network(const OnnxFile& file);

}  // namespace ambry::convert::onnx
