// A decoder's weights as they run, in one form for all architectures. What an architecture does not
// have is empty.
#pragma once

#include <cstdint>
#include <vector>

#include "infer/decoder/weights/extra_weights.h"
#include "infer/decoder/weights/linear_weights.h"
#include "kernels/gemm/weight_matrix.h"
#include "model/decoder/decoder_tensors.h"

namespace ambry::infer {

struct ConvolutionWeights {
  std::vector<float> weight;  // [taps][channels]
  std::vector<float> bias;
};

// The matrices [out, in] of one expert.
struct ExpertWeights {
  kernels::WeightMatrix gate;
  kernels::WeightMatrix up;
  kernels::WeightMatrix down;
};

// Has either query, key and value or all three in one; either gate and up or both in one. Without a
// norm of its own the feed-forward layer of a parallel layer uses the attention's. A norm that is
// empty changes nothing.
struct DecoderLayer {
  NormWeights attention_norm;
  LinearWeights query;
  LinearWeights key;
  LinearWeights value;
  LinearWeights query_key_value;
  NormWeights query_norm;
  NormWeights key_norm;
  LinearWeights attention_output;
  NormWeights post_attention_norm;
  NormWeights mlp_norm;
  LinearWeights gate;
  LinearWeights up;
  LinearWeights gate_up;
  LinearWeights down;
  NormWeights post_mlp_norm;
  // Layers that keep a state have these.
  LinearWeights mixer_input;
  ConvolutionWeights convolution;
  LinearWeights mixer_output;
  std::vector<float> state_decay;  // a, as it is in e^(step a)
  std::vector<float> state_skip;
  std::vector<float> step_bias;
  NormWeights state_norm;
  LinearWeights mixer_gate;
  LinearWeights mixer_beta;
  LinearWeights mixer_step;
  kernels::WeightMatrix router;  // in layers with experts
  std::vector<float> router_bias;
  std::vector<ExpertWeights> experts;
  ExtraLayerWeights extra;
};

struct DecoderWeights {
  kernels::WeightMatrix token_embedding;
  kernels::WeightMatrix position_embedding;
  std::vector<DecoderLayer> layers;
  NormWeights final_norm;
  LinearWeights output;              // without a matrix when it is the token embedding
  std::vector<LinearWeights> dense;  // after the pooling of an embedding
  ExtraWeights extra;
  std::vector<float> ones;  // the weights of norms of values, if these are normalized

  [[nodiscard]] const kernels::WeightMatrix& output_matrix() const {
    return output.weight.rows() > 0 ? output.weight : token_embedding;
  }
};

// The matrix of this role. `layer` is one of the model's, or kNoLayer.
[[nodiscard]] kernels::WeightMatrix& matrix_of(DecoderWeights& weights, model::DecoderRole role,
                                               uint32_t layer, uint32_t expert = model::kNoExpert);
// The norm or convolution of this role, or the bias of one or of a linear layer.
[[nodiscard]] std::vector<float>& vector_of(DecoderWeights& weights, model::DecoderRole role,
                                            uint32_t layer, bool bias);

}  // namespace ambry::infer
