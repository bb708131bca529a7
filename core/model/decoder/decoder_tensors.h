// The tensors of decoder language models under their Hugging Face names, with one table for each
// architecture (core/formats/amb/README.md#tensor-names). The tables give the role of each tensor
// and its shape in terms of the config.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/diagnostics.h"
#include "model/decoder/decoder_config.h"
#include "model/file/model.h"
#include "model/file/tensor_index.h"
#include "model/file/tensor_spec.h"

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

inline constexpr uint32_t kNoLayer = UINT32_MAX;
inline constexpr uint32_t kNoExpert = UINT32_MAX;

// Whether a layer may have tensors of this role, by its kind and its experts.
[[nodiscard]] bool has_role(const DecoderConfig& config, DecoderRole role, uint32_t layer);
// The first such layer, or 0.
[[nodiscard]] uint32_t first_layer_with(const DecoderConfig& config, DecoderRole role);

struct DecoderTensor {
  DecoderRole role = DecoderRole::TokenEmbedding;
  uint32_t layer = kNoLayer;  // kNoLayer for tensors outside the layers; of Dense, the i-th
  bool bias = false;
  TensorSpec spec;
  std::string other_name;  // a second name that some models use, or empty
  uint32_t expert = kNoExpert;
};

[[nodiscard]] constexpr bool is_expert_role(DecoderRole role) {
  return role == DecoderRole::ExpertGate || role == DecoderRole::ExpertUp ||
         role == DecoderRole::ExpertDown;
}

// The part of a tensor's name that is compared: without the prefixes `model.`, `transformer.`,
// `gpt_neox.` and `backbone.`, and without the ending `.weight`.
[[nodiscard]] std::string_view decoder_tensor_key(std::string_view name);

// Makes an index for the two functions below.
[[nodiscard]] TensorIndex decoder_tensor_index(const std::vector<TensorEntry>& tensors);

// Finds the tensor by either of its names. Returns nullptr when it is absent.
[[nodiscard]] const TensorEntry* find_decoder_tensor(const TensorIndex& index,
                                                     const DecoderTensor& tensor);
// Finds the weight or bias with this role in this layer (kNoLayer for tensors outside the layers).
[[nodiscard]] const TensorEntry* find_decoder_tensor(const TensorIndex& index,
                                                     DecoderArchitecture architecture,
                                                     DecoderRole role, uint32_t layer,
                                                     bool bias = false);

// The tensors that a model with this config must have (spec.optional is false) or may have, in file
// order.
[[nodiscard]] std::vector<DecoderTensor> decoder_tensors(const DecoderConfig& config);

// Adds an error for each required tensor that is missing and each tensor of another shape; the
// error names the expected shape. Whole missing layers give one error together. Unknown tensors are
// ignored, but those of layers beyond the config's number give a warning.
void check_decoder_tensors(const Model& model, const DecoderConfig& config,
                           io::Diagnostics& diagnostics);

}  // namespace ambry::model
