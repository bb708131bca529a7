// Observes the ranges that static quantisation needs while a float network runs.
#pragma once

#include "infer/cnn/network.h"
#include "infer/cnn/watcher.h"
#include "model/cnn/cnn_ranges.h"

namespace ambry::infer {

class CnnRangeWatcher final : public CnnWatcher {
 public:
  // Of a vanilla network, which must outlive the watcher.
  explicit CnnRangeWatcher(const CnnNetwork& network);

  void on_value(uint32_t value, const CnnMap& map) override;

  // What was seen in all runs so far.
  [[nodiscard]] const model::CnnRanges& ranges() const { return ranges_; }

 private:
  void observe(const model::CnnActivationIndices::Run& activations, std::span<const float> values);

  const CnnNetwork& network_;
  model::CnnRanges ranges_;
  std::vector<bool> rectified_;  // by value: only a ReLU sees it
};

}  // namespace ambry::infer
