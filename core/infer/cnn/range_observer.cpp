#include "infer/cnn/range_observer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ambry::infer {
namespace {

using model::CnnKind;
using model::CnnNode;
using model::CnnOp;

float largest_magnitude(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

std::vector<float> largest_weights(const CnnWeights& weights, CnnKind kind) {
  std::vector<float> largest;
  for (const CnnParameters& layer : weights.of(kind)) {
    largest.push_back(largest_magnitude(layer.weight.as<float>()));
  }
  return largest;
}

}  // namespace

CnnRangeObserver::CnnRangeObserver(const CnnNetwork& network) : network_(network) {
  assert(network.weights().table.variant == model::CnnVariant::Vanilla);
  ranges_.conv_weights = largest_weights(network.weights(), CnnKind::Conv);
  ranges_.linear_weights = largest_weights(network.weights(), CnnKind::Linear);
  ranges_.conv_flows.resize(ranges_.conv_weights.size());
  ranges_.linear_flows.resize(ranges_.linear_weights.size());
  const model::CnnActivationIndices& numbering = network.numbering();
  ranges_.activations.resize(numbering.count);
  std::vector<size_t> n_users(network.shapes().size());
  const std::vector<CnnNode>& nodes = network.graph().nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    ++n_users[nodes[i].in];
    if (nodes[i].op == CnnOp::Add) ++n_users[nodes[i].other];
    if (nodes[i].op != CnnOp::Conv && nodes[i].op != CnnOp::Linear) continue;
    auto& flows = nodes[i].op == CnnOp::Conv ? ranges_.conv_flows : ranges_.linear_flows;
    flows[nodes[i].index] = {numbering.of_value[nodes[i].in], numbering.of_value[i + 1]};
  }
  rectified_.resize(n_users.size());
  for (const CnnNode& node : nodes) {
    if (node.op == CnnOp::Relu && n_users[node.in] == 1) rectified_[node.in] = true;
  }
}

// A value that goes only into a ReLU is observed after the ReLU. Concatenating pools share the
// activation number of their input.
void CnnRangeObserver::on_value(uint32_t value, const FeatureMap& map) {
  if (!rectified_[value]) observe(network_.numbering().own[value], map.floats());
  for (size_t i = value; i < network_.graph().nodes.size(); ++i) {
    const CnnNode& node = network_.graph().nodes[i];
    if (node.op == CnnOp::ConcatPool && node.in == value) {
      observe(network_.numbering().own[i + 1], map.floats());
    }
  }
}

void CnnRangeObserver::observe(const model::CnnActivationIndices::Run& activations,
                               std::span<const float> values) {
  for (uint32_t i = 0; i < activations.count; ++i) {
    model::ObservedRange& range = ranges_.activations[activations.first + i];
    for (const float value : values) {
      // A NaN is kept.
      if (value < range.low || std::isnan(value)) range.low = value;
      if (value > range.high || std::isnan(value)) range.high = value;
    }
  }
}

}  // namespace ambry::infer
