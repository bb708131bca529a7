// A convolutional network ready to run, one node a step, so that whoever runs it can stop between
// steps and time them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "infer/cnn/map.h"
#include "infer/cnn/watcher.h"
#include "infer/cnn/weights.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::infer {

class CnnNetwork {
 public:
  // What check_graph() says of a graph that does not fit the table.
  [[nodiscard]] static Result<CnnNetwork> create(std::shared_ptr<const CnnWeights> weights,
                                                 model::CnnGraph graph);

  [[nodiscard]] const CnnWeights& weights() const { return *weights_; }
  [[nodiscard]] const model::CnnGraph& graph() const { return graph_; }
  [[nodiscard]] const std::vector<model::CnnShape>& shapes() const { return shapes_; }
  [[nodiscard]] const model::CnnActivationIndices& numbering() const { return numbering_; }
  // Whether value is used by node `node`, in the order of nodes, for the last time.
  [[nodiscard]] bool ends_at(uint32_t value, size_t node) const { return last_use_[value] == node; }

 private:
  CnnNetwork() = default;

  std::shared_ptr<const CnnWeights> weights_;
  model::CnnGraph graph_;
  std::vector<model::CnnShape> shapes_;  // by value
  model::CnnActivationIndices numbering_;
  std::vector<size_t> last_use_;
};

// Float networks only: Fast may round a product and a sum at once. The quantised ones are exact
// always.
enum class CnnMode : uint8_t { Exact, Fast };

class CnnRun {
 public:
  // `input` is as the graph says, channel by channel, already normalised; BadValue for another
  // count or for numbers that are not finite. `network` and `watcher`, which may be nullptr, must
  // outlive the run.
  [[nodiscard]] static Result<CnnRun> begin(const CnnNetwork& network, std::span<const float> input,
                                            CnnMode mode, CnnWatcher* watcher = nullptr);

  // The node that step() runs next; as many as there are nodes when the run is done.
  [[nodiscard]] size_t next() const { return next_; }
  [[nodiscard]] bool done() const { return next_ == network_->graph().nodes.size(); }
  [[nodiscard]] Result<void> step();
  // What the output is, in floats; when done.
  [[nodiscard]] Result<std::vector<float>> output() const;

 private:
  CnnRun(const CnnNetwork& network, CnnMode mode, CnnWatcher* watcher)
      : network_(&network), mode_(mode), watcher_(watcher), values_(network.shapes().size()) {}

  [[nodiscard]] Result<CnnMap> run_node(const model::CnnNode& node);
  [[nodiscard]] Result<CnnMap> run_layer(const model::CnnNode& node);
  [[nodiscard]] Result<CnnMap> run_on_floats(const model::CnnNode& node);
  [[nodiscard]] Result<void> keep(uint32_t value, CnnMap map);
  // The value itself where nobody needs it any more, else a copy.
  [[nodiscard]] Result<CnnMap> take(uint32_t value);
  [[nodiscard]] Result<CnnMap> take_floats(uint32_t value);
  [[nodiscard]] const model::CnnShape& out_shape() const { return network_->shapes()[next_ + 1]; }

  const CnnNetwork* network_;
  CnnMode mode_;
  CnnWatcher* watcher_;
  std::vector<std::optional<CnnMap>> values_;
  size_t next_ = 0;
};

}  // namespace ambry::infer
