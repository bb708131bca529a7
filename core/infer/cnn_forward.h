// Runs a residual network of tinyRuntime's in float, one image at a time, and observes the ranges
// that static quantisation needs. Direct and in the reference's order of additions, so that logits
// are its logits bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/cnn_blocks.h"
#include "model/cnn_ranges.h"
#include "model/cnn_table.h"

namespace ambry::infer {

// Of one layer; of batch norms the four in the order of files.
struct CnnLayerWeights {
  std::vector<float> weight;
  std::vector<float> bias;  // empty where the layer has none
  std::vector<float> mean;
  std::vector<float> variance;
};

struct CnnWeights {
  model::CnnTable table;  // vanilla
  std::vector<CnnLayerWeights> convs;
  std::vector<CnnLayerWeights> linears;
  std::vector<CnnLayerWeights> batch_norms;
};

class CnnForward {
 public:
  // Unsupported for a network that is not residual. `weights` must be as the table says.
  [[nodiscard]] static Result<CnnForward> create(CnnWeights weights);

  // The logits of one image: channels × side × side numbers, already normalised. BadValue for
  // another number of them, or an image that is too small for the network.
  [[nodiscard]] Result<std::vector<float>> run(std::span<const float> image);

  // What was seen in all images so far.
  [[nodiscard]] const model::CnnRanges& ranges() const { return ranges_; }

 private:
  // Planes one after another.
  struct Map {
    int32_t channels = 0;
    int32_t side = 0;
    std::vector<float> values;
  };

  CnnForward(CnnWeights weights, std::vector<model::CnnBlock> blocks);
  void state_flows();

  Result<Map> conv(size_t index, const Map& in) const;
  Result<Map> block(const model::CnnBlock& block, const Map& in, size_t activation);
  [[nodiscard]] std::vector<float> linear(size_t index, std::span<const float> in) const;
  void batch_norm(size_t index, std::span<float> values) const;
  Result<std::vector<float>> head(const Map& in, size_t activation);
  void observe(size_t activation, std::span<const float> values);

  CnnWeights weights_;
  std::vector<model::CnnBlock> blocks_;
  model::CnnRanges ranges_;
};

}  // namespace ambry::infer
