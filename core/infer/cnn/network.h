// A convolutional network ready to run, one node per step, so that the caller can stop between
// steps and time them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "infer/cnn/ops/feature_map.h"
#include "infer/cnn/ops/observer.h"
#include "infer/cnn/ops/weights.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::infer {

class CnnNetwork {
 public:
  // Fails as check_graph() does when the graph does not fit the table.
  [[nodiscard]] static Result<CnnNetwork> create(std::shared_ptr<const CnnWeights> weights,
                                                 model::CnnGraph graph);

  [[nodiscard]] const CnnWeights& weights() const { return *weights_; }
  [[nodiscard]] const model::CnnGraph& graph() const { return graph_; }
  [[nodiscard]] const std::vector<model::CnnShape>& shapes() const { return shapes_; }
  [[nodiscard]] const model::CnnActivationIndices& numbering() const { return numbering_; }
  // Whether `node` is the last node that uses `value`.
  [[nodiscard]] bool ends_at(uint32_t value, size_t node) const { return last_use_[value] == node; }

 private:
  CnnNetwork() = default;

  std::shared_ptr<const CnnWeights> weights_;
  model::CnnGraph graph_;
  std::vector<model::CnnShape> shapes_;  // indexed by value
  model::CnnActivationIndices numbering_;
  std::vector<size_t> last_use_;
};

// Only for f32 networks: Fast may round a product and a sum together, and computes convolutions
// with fewer products where it can (conv_winograd.h). Quantized networks are always exact.
enum class CnnMode : uint8_t { Exact, Fast };

class CnnRun {
 public:
  // `input` has the shape of the graph's input, channel by channel, already normalized. BadValue
  // for another size or for values that are not finite. `network` and `observer` must outlive the
  // run; `observer` may be nullptr.
  [[nodiscard]] static Result<CnnRun> begin(const CnnNetwork& network, std::span<const float> input,
                                            CnnMode mode, CnnObserver* observer = nullptr);

  // The node that step() runs next; the number of nodes when the run is done.
  [[nodiscard]] size_t next() const { return next_; }
  [[nodiscard]] bool done() const { return next_ == network_->graph().nodes.size(); }
  [[nodiscard]] Result<void> step();
  // The output as floats. Only when done.
  [[nodiscard]] Result<std::vector<float>> output() const;

 private:
  CnnRun(const CnnNetwork& network, CnnMode mode, CnnObserver* observer)
      : network_(&network), mode_(mode), observer_(observer), values_(network.shapes().size()) {}

  [[nodiscard]] Result<FeatureMap> run_node(const model::CnnNode& node);
  [[nodiscard]] Result<FeatureMap> run_layer(const model::CnnNode& node);
  [[nodiscard]] Result<FeatureMap> run_on_floats(const model::CnnNode& node);
  [[nodiscard]] Result<void> keep(uint32_t value, FeatureMap map);
  // Moves the value out if nobody needs it any more, otherwise copies it.
  [[nodiscard]] Result<FeatureMap> take(uint32_t value);
  [[nodiscard]] Result<FeatureMap> take_floats(uint32_t value);
  [[nodiscard]] const model::CnnShape& out_shape() const { return network_->shapes()[next_ + 1]; }

  const CnnNetwork* network_;
  CnnMode mode_;
  CnnObserver* observer_;
  std::vector<std::optional<FeatureMap>> values_;
  size_t next_ = 0;
};

}  // namespace ambry::infer
