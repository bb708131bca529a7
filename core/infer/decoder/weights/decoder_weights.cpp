#include "infer/decoder/weights/decoder_weights.h"

#include <cassert>

namespace ambry::infer {
namespace {

using Role = model::DecoderRole;

LinearWeights& linear_of(DecoderWeights& weights, Role role, uint32_t layer) {
  if (role == Role::Dense) return weights.dense[layer];
  if (layer == model::kNoLayer) {
    assert(role == Role::Output);
    return weights.output;
  }
  DecoderLayer& of = weights.layers[layer];
  switch (role) {
    case Role::Query:
      return of.query;
    case Role::Key:
      return of.key;
    case Role::Value:
      return of.value;
    case Role::QueryKeyValue:
      return of.query_key_value;
    case Role::AttentionOutput:
      return of.attention_output;
    case Role::Gate:
      return of.gate;
    case Role::Up:
      return of.up;
    case Role::GateUp:
      return of.gate_up;
    case Role::MixerInput:
      return of.mixer_input;
    case Role::MixerOutput:
      return of.mixer_output;
    case Role::MixerGate:
      return of.mixer_gate;
    case Role::MixerBeta:
      return of.mixer_beta;
    case Role::MixerStep:
      return of.mixer_step;
    default:
      assert(role == Role::Down);
      return of.down;
  }
}

NormWeights* norm_of(DecoderWeights& weights, Role role, uint32_t layer) {
  if (role == Role::FinalNorm) return &weights.final_norm;
  if (layer == model::kNoLayer || role == Role::Dense) return nullptr;
  DecoderLayer& of = weights.layers[layer];
  switch (role) {
    case Role::AttentionNorm:
      return &of.attention_norm;
    case Role::QueryNorm:
      return &of.query_norm;
    case Role::KeyNorm:
      return &of.key_norm;
    case Role::PostAttentionNorm:
      return &of.post_attention_norm;
    case Role::MlpNorm:
      return &of.mlp_norm;
    case Role::PostMlpNorm:
      return &of.post_mlp_norm;
    case Role::StateNorm:
      return &of.state_norm;
    default:
      return nullptr;
  }
}

}  // namespace

namespace {

ExtraLayerWeights* extras_of_layer(DecoderWeights& weights, Role role, uint32_t layer) {
  const bool in_layer = layer != model::kNoLayer && !model::is_numbered_alone(role);
  return in_layer ? &weights.layers[layer].extra : nullptr;
}

}  // namespace

kernels::WeightMatrix& matrix_of(DecoderWeights& weights, Role role, uint32_t layer,
                                 uint32_t expert) {
  if (model::is_extra(role)) {
    return extra_matrix(weights.extra, extras_of_layer(weights, role, layer), role, layer);
  }
  if (role == Role::TokenEmbedding) return weights.token_embedding;
  if (role == Role::PositionEmbedding) return weights.position_embedding;
  if (role == Role::Router) return weights.layers[layer].router;
  if (model::is_expert_role(role)) {
    ExpertWeights& of = weights.layers[layer].experts[expert];
    return role == Role::ExpertGate ? of.gate : role == Role::ExpertUp ? of.up : of.down;
  }
  return linear_of(weights, role, layer).weight;
}

std::vector<float>& vector_of(DecoderWeights& weights, Role role, uint32_t layer, bool bias) {
  if (role == Role::RouterBias) return weights.layers[layer].router_bias;
  if (role == Role::Convolution) {
    ConvolutionWeights& of = weights.layers[layer].convolution;
    return bias ? of.bias : of.weight;
  }
  if (role == Role::StateDecay) return weights.layers[layer].state_decay;
  if (role == Role::StateSkip) return weights.layers[layer].state_skip;
  if (role == Role::StepBias) return weights.layers[layer].step_bias;
  if (model::is_extra(role)) {
    return extra_vector(weights.extra, extras_of_layer(weights, role, layer), role);
  }
  NormWeights* norm = norm_of(weights, role, layer);
  if (norm != nullptr) return bias ? norm->bias : norm->weight;
  assert(bias);
  return linear_of(weights, role, layer).bias;
}

}  // namespace ambry::infer
