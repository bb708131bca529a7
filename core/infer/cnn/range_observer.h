// Observes the ranges that static quantisation needs while a float network runs.
#pragma once

#include "infer/cnn/network.h"
#include "infer/cnn/observer.h"
#include "model/cnn/cnn_ranges.h"

namespace ambry::infer {

class CnnRangeObserver final : public CnnObserver {
 public:
  // Of a vanilla network, which must outlive the observer.
  explicit CnnRangeObserver(const CnnNetwork& network);

  void on_value(uint32_t value, const FeatureMap& map) override;

  // What was seen in all runs so far.
  [[nodiscard]] const model::CnnRanges& ranges() const { return ranges_; }

 private:
  void observe(const model::CnnNumbering::Run& activations, std::span<const float> values);

  const CnnNetwork& network_;
  model::CnnRanges ranges_;
  std::vector<bool> rectified_;  // by value: only a ReLU sees it
};

}  // namespace ambry::infer
