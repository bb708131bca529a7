// Looks at a network while it runs: for a trace, and for the ranges that SQ8 needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "infer/cnn/feature_map.h"

namespace ambry::infer {

// DQ8: the codes of a few neighbouring outputs' patches (kernels/quantize/dynamic_quantize.h), one
// column each.
struct CnnCodes {
  size_t columns;  // of the panel, those that are outputs
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

  // Value 0 is the input, value i + 1 what node i gives; before SQ8 turns it into bytes.
  virtual void on_value(uint32_t value, const FeatureMap& map) = 0;
  // DQ8, before the value of the layer that they are made for; panel by panel.
  virtual void on_codes(const CnnCodes& /*codes*/) {}
  // SQ8: floats have become bytes.
  virtual void on_quantized(const FeatureMap& /*map*/) {}
  // What goes into a batch norm, as floats.
  virtual void on_norm_input(const FeatureMap& /*map*/) {}
};

}  // namespace ambry::infer
