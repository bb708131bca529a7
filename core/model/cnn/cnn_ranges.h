// What static quantization (SQ8) must know about a running network: the ranges of its values, and
// which activations each layer connects.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace ambry::model {

// The smallest and largest value observed. low > high when none was observed.
struct ObservedRange {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
};

struct CnnRanges {
  // For each layer, the activations of its input and its output.
  struct Flow {
    size_t in = 0;
    size_t out = 0;
  };

  std::vector<float> conv_weights;  // the largest magnitude among each layer's weights
  std::vector<float> linear_weights;
  std::vector<Flow> conv_flows;
  std::vector<Flow> linear_flows;
  std::vector<ObservedRange> activations;  // in the order of SQ8's table
};

}  // namespace ambry::model
