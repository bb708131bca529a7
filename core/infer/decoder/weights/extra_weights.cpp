#include "infer/decoder/weights/extra_weights.h"

#include <cassert>

namespace ambry::infer {

using Role = model::DecoderRole;

kernels::WeightMatrix& extra_matrix(ExtraWeights& weights, ExtraLayerWeights* layer, Role role,
                                    uint32_t i) {
  switch (role) {
    case Role::PerLayerEmbedding:
      return weights.per_layer_embedding;
    case Role::PerLayerModelProjection:
      return weights.per_layer_projection.weight;
    case Role::StreamProjection:
      return weights.stream_projections[i].weight;
    case Role::StreamUnembedding:
      return weights.stream_unembeddings[i].weight;
    case Role::PerLayerGate:
      return layer->per_layer_gate.weight;
    case Role::PerLayerProjection:
      return layer->per_layer_projection.weight;
    case Role::LaurelLeft:
      return layer->laurel_left.weight;
    case Role::LaurelRight:
      return layer->laurel_right.weight;
    case Role::StreamRouter:
      return layer->router.weight;
    case Role::StreamPredict:
      return layer->predict.weight;
    default:
      assert(role == Role::StreamCorrect);
      return layer->correct.weight;
  }
}

std::vector<float>& extra_vector(ExtraWeights& weights, ExtraLayerWeights* layer, Role role) {
  switch (role) {
    case Role::PerLayerModelNorm:
      return weights.per_layer_norm.weight;
    case Role::PerLayerNorm:
      return layer->per_layer_norm.weight;
    case Role::LayerScale:
      return layer->layer_scale;
    case Role::LaurelNorm:
      return layer->laurel_norm.weight;
    case Role::StreamRouterNorm:
      return layer->router_norm.weight;
    case Role::SharedGate:
      return layer->shared_gate;
    case Role::SharedNorm:
      return layer->shared_norm.weight;
    case Role::ExpertInputNorm:
      return layer->expert_input_norm.weight;
    case Role::ExpertNorm:
      return layer->expert_norm.weight;
    case Role::RouterScale:
      return layer->router_scale.weight;
    case Role::ExpertScale:
      return layer->expert_scale;
    default:
      assert(role == Role::StreamScale);
      return layer->stream_scale;
  }
}

}  // namespace ambry::infer
