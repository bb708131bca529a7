// The input of an image network: normalized values, or a picture that is converted by the network's
// plan.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "model/cnn/cnn_graph.h"
#include "model/cnn/cnn_plan.h"
#include "model/cnn/cnn_table.h"

namespace ambry::api {

// The network that takes the input. Without a plan, the graph is derived from the table.
struct NetworkFacts {
  const model::CnnTable& table;
  const std::optional<model::CnnPlan>& plan;
};

class NetworkInput {
 public:
  // The memory for normalized values as the network takes them.
  [[nodiscard]] Result<std::span<float>> tensor(uint64_t n_values);
  // The memory for a picture, RGBA row by row. Unsupported when nothing says how pictures become
  // values. LimitExceeded for more than 2^26 pixels.
  [[nodiscard]] Result<MutableBytes> picture(const NetworkFacts& network, uint64_t width,
                                             uint64_t height);

  // The graph for this input.
  [[nodiscard]] Result<model::CnnGraph> graph(const NetworkFacts& network) const;
  // The values of the input: a tensor unchanged, a picture converted to `shape`. Valid until the
  // next call.
  [[nodiscard]] Result<std::span<const float>> values(const NetworkFacts& network,
                                                      const model::CnnShape& shape);

 private:
  [[nodiscard]] bool is_picture() const { return width_ > 0; }

  AlignedBuffer values_;
  AlignedBuffer picture_;
  uint32_t width_ = 0;  // of the picture; 0 for a tensor
  uint32_t height_ = 0;
};

}  // namespace ambry::api
