// The weights of one linear layer, and of one norm.
#pragma once

#include <vector>

#include "kernels/gemm/weight_matrix.h"

namespace ambry::infer {

struct LinearWeights {
  kernels::WeightMatrix weight;  // [out, in]
  std::vector<float> bias;
};

struct NormWeights {
  std::vector<float> weight;  // with DecoderConfig::norm_offset added
  std::vector<float> bias;    // LayerNorm always has one
};

}  // namespace ambry::infer
