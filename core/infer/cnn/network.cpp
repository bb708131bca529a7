#include "infer/cnn/network.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "infer/cnn/ops/basic_ops.h"
#include "infer/cnn/ops/conv.h"
#include "kernels/attention/softmax.h"
#include "simd/isa.h"

namespace ambry::infer {

using model::CnnKind;
using model::CnnNode;
using model::CnnOp;
using model::CnnVariant;

Result<CnnNetwork> CnnNetwork::create(std::shared_ptr<const CnnWeights> weights,
                                      model::CnnGraph graph) {
  CnnNetwork network;
  AMBRY_TRY(network.shapes_, model::check_graph(graph, weights->table));
  network.numbering_ = model::index_activations(graph);
  network.last_use_.resize(network.shapes_.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    network.last_use_[graph.nodes[i].in] = i;
    if (graph.nodes[i].op == CnnOp::Add) network.last_use_[graph.nodes[i].other] = i;
  }
  network.last_use_[graph.output] = graph.nodes.size();
  network.weights_ = std::move(weights);
  network.graph_ = std::move(graph);
  return network;
}

Result<CnnRun> CnnRun::begin(const CnnNetwork& network, std::span<const float> input, CnnMode mode,
                             CnnObserver* observer) {
  const model::CnnShape& shape = network.graph().input;
  if (input.size() != shape.count()) {
    return make_error(ErrorCode::BadValue, "input",
                      {uint64_t{input.size()}, " values, but ", shape.channels, " x ", shape.height,
                       " x ", shape.width, " are wanted"});
  }
  const auto odd = std::ranges::find_if(input, [](float v) { return !std::isfinite(v); });
  if (odd != input.end()) {
    const auto at = static_cast<uint64_t>(odd - input.begin());
    return make_error(ErrorCode::BadValue, concat({"input[", at, "]"}), "is not finite");
  }
  CnnRun run(network, mode, observer);
  AMBRY_TRY(FeatureMap map, FeatureMap::f32(shape));
  std::ranges::copy(input, map.floats().begin());
  AMBRY_RETURN_IF_ERROR(run.keep(0, std::move(map)));
  return run;
}

Result<void> CnnRun::step() {
  assert(!done());
  const CnnNode& node = network_->graph().nodes[next_];
  AMBRY_TRY(FeatureMap map, run_node(node));
  AMBRY_RETURN_IF_ERROR(keep(static_cast<uint32_t>(next_) + 1, std::move(map)));
  for (const uint32_t value : {node.in, node.other}) {
    if (network_->ends_at(value, next_)) values_[value].reset();
  }
  ++next_;
  return {};
}

Result<std::vector<float>> CnnRun::output() const {
  assert(done());
  AMBRY_TRY(const FeatureMap map, values_[network_->graph().output]->dequantized());
  return std::vector<float>(map.floats().begin(), map.floats().end());
}

Result<void> CnnRun::keep(uint32_t value, FeatureMap map) {
  if (observer_ != nullptr) observer_->on_value(value, map);
  const model::CnnTable& table = network_->weights().table;
  if (table.variant == CnnVariant::Sq8 && !map.is_quantized()) {
    for (const uint32_t point : network_->numbering().points[value]) {
      if (map.is_quantized()) AMBRY_TRY(map, map.dequantized());
      AMBRY_TRY(map, map.quantize(table.activations[point]));
      if (observer_ != nullptr) observer_->on_quantized(map);
    }
  }
  values_[value] = std::move(map);
  return {};
}

Result<FeatureMap> CnnRun::take(uint32_t value) {
  if (!network_->ends_at(value, next_)) return values_[value]->copy();
  return *std::exchange(values_[value], std::nullopt);
}

Result<FeatureMap> CnnRun::take_floats(uint32_t value) {
  return values_[value]->is_quantized() ? values_[value]->dequantized() : take(value);
}

Result<FeatureMap> CnnRun::run_node(const CnnNode& node) {
  switch (node.op) {
    case CnnOp::Conv:
    case CnnOp::Linear:
      return run_layer(node);
    case CnnOp::MaxPool:
      return max_pool(node, *values_[node.in], out_shape());
    case CnnOp::PadChannels:
      return pad_channels(node, *values_[node.in], out_shape());
    case CnnOp::Relu: {
      AMBRY_TRY(FeatureMap map, take(node.in));
      relu(map);
      return map;
    }
    case CnnOp::Flatten: {
      AMBRY_TRY(FeatureMap map, take(node.in));
      map.reshape(out_shape());
      return map;
    }
    default:
      return run_on_floats(node);
  }
}

Result<FeatureMap> CnnRun::run_layer(const CnnNode& node) {
  const CnnKind kind = node.op == CnnOp::Conv ? CnnKind::Conv : CnnKind::Linear;
  const CnnWeights& weights = network_->weights();
  const ConvCall call{weights.table.of(kind)[node.index], weights.of(kind)[node.index],
                      *values_[node.in], out_shape()};
  switch (weights.table.variant) {
    case CnnVariant::Vanilla:
      return run_f32_conv(call, mode_ == CnnMode::Fast);
    case CnnVariant::Dq8:
      return run_dq8_conv(call, weights.table.asymmetric, observer_);
    default:
      return run_sq8_conv(call);
  }
}

Result<FeatureMap> CnnRun::run_on_floats(const CnnNode& node) {
  // Both operands may be the same value, which must not be taken twice.
  if (node.op == CnnOp::Add) {
    AMBRY_TRY(const FeatureMap other, values_[node.other]->dequantized());
    AMBRY_TRY(FeatureMap map, take_floats(node.in));
    add_to(map, other);
    return map;
  }
  AMBRY_TRY(FeatureMap map, take_floats(node.in));
  switch (node.op) {
    case CnnOp::AveragePool:
      return average_pool(node, map, out_shape());
    case CnnOp::ConcatPool:
      return concat_pool(map, out_shape());
    case CnnOp::BatchNorm:
      if (observer_ != nullptr) observer_->on_norm_input(map);
      batch_norm(network_->weights().of(CnnKind::BatchNorm)[node.index], map);
      return map;
    default:
      assert(node.op == CnnOp::Softmax);
      kernels::softmax<simd::Baseline>(map.floats());
      return map;
  }
}

}  // namespace ambry::infer
