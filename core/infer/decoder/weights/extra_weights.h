// The weights that only decoders with DecoderConfig::extras have. What a model lacks is empty.
#pragma once

#include <cstdint>
#include <vector>

#include "infer/decoder/weights/linear_weights.h"
#include "model/decoder/decoder_tensors.h"

namespace ambry::infer {

// The embedding of a token for each layer, and the streams of the hidden state.
struct ExtraWeights {
  kernels::WeightMatrix per_layer_embedding;
  LinearWeights per_layer_projection;
  NormWeights per_layer_norm;
  std::vector<LinearWeights> stream_projections;  // for each stream but the first
  std::vector<LinearWeights> stream_unembeddings;
};

struct ExtraLayerWeights {
  LinearWeights per_layer_gate;
  LinearWeights per_layer_projection;
  NormWeights per_layer_norm;
  std::vector<float> layer_scale;  // one number
  LinearWeights laurel_left;
  LinearWeights laurel_right;
  NormWeights laurel_norm;
  NormWeights router_norm;
  LinearWeights router;
  LinearWeights predict;
  LinearWeights correct;
  std::vector<float> stream_scale;
  std::vector<float> shared_gate;
  NormWeights shared_norm;
  NormWeights expert_input_norm;
  NormWeights expert_norm;
  NormWeights router_scale;
  std::vector<float> expert_scale;
};

// The matrix of a role for which model::is_extra() holds. `layer` is null for roles outside the
// layers; `i` counts projections and unembeddings of streams.
[[nodiscard]] kernels::WeightMatrix& extra_matrix(ExtraWeights& weights, ExtraLayerWeights* layer,
                                                  model::DecoderRole role, uint32_t i);
// The norm or factors of such a role.
[[nodiscard]] std::vector<float>& extra_vector(ExtraWeights& weights, ExtraLayerWeights* layer,
                                               model::DecoderRole role);

}  // namespace ambry::infer
