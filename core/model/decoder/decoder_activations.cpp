#include "model/decoder/decoder_activations.h"

namespace ambry::model {

std::span<const float> DecoderActivations::input_of(DecoderRole role, uint32_t layer) const {
  if (role == DecoderRole::TokenEmbedding) return tokens;
  if (role == DecoderRole::PositionEmbedding) return positions;
  if (role == DecoderRole::Output) return output;
  if (layer >= layers.size()) return {};
  const Layer& of = layers[layer];
  switch (role) {
    case DecoderRole::Query:
    case DecoderRole::Key:
    case DecoderRole::Value:
    case DecoderRole::QueryKeyValue:
      return of.attention;
    case DecoderRole::AttentionOutput:
      return of.context;
    case DecoderRole::Gate:
    case DecoderRole::Up:
    case DecoderRole::GateUp:
      return of.mlp;
    case DecoderRole::Down:
      return of.mlp_hidden;
    default:
      return {};
  }
}

}  // namespace ambry::model
