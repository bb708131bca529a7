#include "infer/encoder/weights/encoder_places.h"

namespace ambry::infer {
namespace {

EncoderPlace place_in_layer(model::EncoderRole role, EncoderLayer& layer) {
  using enum model::EncoderRole;
  switch (role) {
    case Query:
    case QueryKeyValue:
      return {.linear = &layer.query};
    case Key:
      return {.linear = &layer.key};
    case Value:
      return {.linear = &layer.value};
    case RelativeKey:
      return {.linear = &layer.relative_key};
    case RelativeQuery:
      return {.linear = &layer.relative_query};
    case QueryNorm:
      return {.norm = &layer.query_norm};
    case KeyNorm:
      return {.norm = &layer.key_norm};
    case AttentionOutput:
      return {.linear = &layer.attention_output};
    case AttentionNorm:
      return {.norm = &layer.attention_norm};
    case RepeatedNorm:
      return {.norm = &layer.repeated_norm};
    case Gate:
    case Router:
      return {.linear = &layer.gate};
    case Up:
    case GateUp:
    case UpGate:
      return {.linear = &layer.intermediate};
    case Down:
      return {.linear = &layer.output};
    case OutputNorm:
      return {.norm = &layer.output_norm};
    default:
      return {};
  }
}

}  // namespace

EncoderPlace encoder_place(const model::EncoderTensor& tensor, EncoderWeights& weights) {
  using enum model::EncoderRole;
  switch (tensor.role) {
    case WordEmbedding:
      return {.table = &weights.word_embeddings};
    case PositionEmbedding:
      return {.table = &weights.position_embeddings};
    case TokenTypeEmbedding:
      return {.table = &weights.token_type_embeddings};
    case RelativeBias:
      return {.table = &weights.relative_bias};
    case RelativeEmbedding:
      return {.table = &weights.relative_embeddings};
    case RelativeNorm:
      return {.norm = &weights.relative_norm};
    case EmbeddingNorm:
      return {.norm = &weights.embedding_norm};
    case EmbeddingProjection:
      return {.linear = &weights.embedding_projection};
    case FinalNorm:
      return {.norm = &weights.final_norm};
    case Dense:
      return {.linear = &weights.dense[tensor.layer].linear};
    case HeadDense:
      return {.linear = &weights.head->dense->linear};
    case HeadNorm:
      return {.norm = &*weights.head->norm};
    case Classifier:
      return {.linear = &weights.head->classifier.linear};
    case QueryWeights:
      return {.vector = &weights.head->query_weights};
    case Pooler:
      return {};
    default:
      return place_in_layer(tensor.role, weights.part(tensor.layer, tensor.part));
  }
}

}  // namespace ambry::infer
