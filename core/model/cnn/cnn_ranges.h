// What static quantisation (SQ8) needs to know of a network at work: the ranges of its numbers, and
// between which activations its layers stand.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace ambry::model {

// The smallest and the largest number seen somewhere; low > high while none was.
struct ObservedRange {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
};

struct CnnRanges {
  // By layer, the activation that goes into it and the one that comes out of it.
  struct Flow {
    size_t in = 0;
    size_t out = 0;
  };

  std::vector<float> conv_weights;  // the largest magnitude of each layer's weights
  std::vector<float> linear_weights;
  std::vector<Flow> conv_flows;
  std::vector<Flow> linear_flows;
  std::vector<ObservedRange> activations;  // in the order of SQ8's table
};

}  // namespace ambry::model
