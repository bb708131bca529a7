// Observes the value ranges that static quantization needs, while an f32 network runs.
#pragma once

#include "infer/cnn/network.h"
#include "infer/cnn/ops/observer.h"
#include "model/cnn/cnn_ranges.h"

namespace ambry::infer {

class CnnRangeObserver final : public CnnObserver {
 public:
  // `network` must be a vanilla network and outlive the observer.
  explicit CnnRangeObserver(const CnnNetwork& network);

  void on_value(uint32_t value, const FeatureMap& map) override;

  // The ranges over all runs so far.
  [[nodiscard]] const model::CnnRanges& ranges() const { return ranges_; }

 private:
  void observe(const model::CnnActivationIndices::Run& activations, std::span<const float> values);

  const CnnNetwork& network_;
  model::CnnRanges ranges_;
  std::vector<bool> rectified_;  // indexed by value: whether only a ReLU uses it
};

}  // namespace ambry::infer
