// Observes a network while it runs: for traces, and for the ranges that SQ8 needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "infer/cnn/ops/feature_map.h"

namespace ambry::infer {

// DQ8: the codes of a few neighboring outputs' patches (kernels/quantize/dynamic_quantize.h), one
// column each.
struct CnnCodes {
  size_t columns;  // columns of the panel that are outputs
  size_t n_groups;
  size_t group;
  const int16_t* pairs;
  const float* scales;
  const int32_t* zero_points;  // nullptr: symmetric
};

class CnnObserver {
 public:
  CnnObserver() = default;
  CnnObserver(const CnnObserver&) = delete;
  CnnObserver& operator=(const CnnObserver&) = delete;
  virtual ~CnnObserver() = default;

  // Value 0 is the input, value i + 1 the result of node i. Called before SQ8 quantizes it.
  virtual void on_value(uint32_t value, const FeatureMap& map) = 0;
  // DQ8: called panel by panel, before on_value() of the layer.
  virtual void on_codes(const CnnCodes& /*codes*/) {}
  // SQ8: called after an f32 map was quantized.
  virtual void on_quantized(const FeatureMap& /*map*/) {}
  // The input of a batch norm, in f32.
  virtual void on_norm_input(const FeatureMap& /*map*/) {}
};

}  // namespace ambry::infer
