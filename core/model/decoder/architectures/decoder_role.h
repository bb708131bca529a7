// What the tensors of decoder language models are for.
#pragma once

#include <cstdint>

namespace ambry::model {

// What a tensor is for, independent of its name in the architecture. Only layers of some kinds have
// tensors of some roles (has_role()).
enum class DecoderRole : uint8_t {
  TokenEmbedding,
  PositionEmbedding,
  AttentionNorm,
  Query,
  Key,
  Value,
  QueryKeyValue,  // rows q | k | v, or those of each kv head together (config.qkv_per_head)
  QueryNorm,      // of each head, or of all heads together, before they are rotated
  KeyNorm,
  AttentionOutput,
  PostAttentionNorm,  // of what attention adds to the hidden state
  MlpNorm,
  Gate,
  Up,
  GateUp,  // rows gate | up
  Down,
  PostMlpNorm,  // of what the feed-forward layer adds to the hidden state
  // Layers that keep a state have these. Convolution has a row of taps for each channel.
  MixerInput,
  MixerOutput,
  Convolution,
  StateDecay,  // a value for each head: ln(-a), or a (config.decay_is_log)
  StateSkip,   // the share of its input that a head adds to its output
  StepBias,    // of the time step of each head
  StateNorm,   // of what the heads give, before MixerOutput
  MixerGate,   // of a gated delta net: what gates the result, how much of a state a token corrects,
  MixerBeta,   // and by how much it fades
  MixerStep,
  Router,      // scores of the experts
  RouterBias,  // added to them where experts are chosen
  ExpertGate,  // of one expert, as are the next two
  ExpertUp,
  ExpertDown,
  FinalNorm,
  Output,
  Dense,  // after the pooling of an embedding, or what ranks; `layer` counts these layers
  // config.extras. The first ones belong to no layer.
  PerLayerEmbedding,
  PerLayerModelProjection,  // of the embedding of a token, for all layers
  PerLayerModelNorm,
  StreamProjection,   // makes a further stream of the embedding; `layer` counts these
  StreamUnembedding,  // brings it back at the end; `layer` counts these
  PerLayerGate,
  PerLayerProjection,
  PerLayerNorm,
  LayerScale,  // of the hidden state after a layer
  LaurelLeft,
  LaurelRight,
  LaurelNorm,
  StreamRouterNorm,
  StreamRouter,
  StreamPredict,
  StreamCorrect,
  StreamScale,  // of the first stream before the input of the layer is added
  // In layers with experts beside an ordinary feed-forward part:
  SharedGate,       // its product with the input makes the share of the ordinary part
  SharedNorm,       // of what the ordinary part gives
  ExpertInputNorm,  // of what the experts read
  ExpertNorm,       // of what the experts give together
  RouterScale,      // of the normalized values that the router reads
  ExpertScale,      // of the weight of each expert
};

// Whether a tensor of this role has a number that is not the one of a layer.
[[nodiscard]] constexpr bool is_numbered_alone(DecoderRole role) {
  return role == DecoderRole::Dense || role == DecoderRole::StreamProjection ||
         role == DecoderRole::StreamUnembedding;
}
// Whether only a few newer decoders have such tensors.
[[nodiscard]] constexpr bool is_extra(DecoderRole role) {
  return role >= DecoderRole::PerLayerEmbedding && role <= DecoderRole::ExpertScale;
}

[[nodiscard]] constexpr bool is_expert_role(DecoderRole role) {
  return role == DecoderRole::ExpertGate || role == DecoderRole::ExpertUp ||
         role == DecoderRole::ExpertDown;
}

}  // namespace ambry::model
