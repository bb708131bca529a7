// An architecture of sentence encoders is a constant: its name, its facts, and the names of its
// tensors. The forward pass knows the facts only (encoder_facts.h). Each architecture has a file in
// this folder. A module that does not name an architecture does not link it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/encoder/architectures/encoder_facts.h"
#include "model/encoder/head/head_layout.h"

namespace ambry::model {

// What a tensor is for, independent of its name.
enum class EncoderRole : uint8_t {
  WordEmbedding,
  PositionEmbedding,
  TokenTypeEmbedding,
  EmbeddingNorm,
  EmbeddingProjection,  // to the hidden size
  RelativeBias,         // a bias for each bucket of distances and each head, for all layers
  RelativeEmbedding,    // of distances, for all layers (Disentangled)
  RelativeNorm,         // of those embeddings
  Query,
  Key,
  Value,
  QueryKeyValue,  // rows query | key | value
  RelativeKey,    // makes keys of the relative embeddings
  RelativeQuery,  // makes queries of them
  QueryNorm,      // of the queries of all heads together
  KeyNorm,
  AttentionOutput,
  AttentionNorm,  // after attention, or before it (norm_first)
  RepeatedNorm,   // after AttentionNorm, when the layer's input has been added once more
  Router,         // gives a number for each expert
  Up,             // the first matrix of the feed-forward layer
  Gate,           // its output goes through the activation and is multiplied with Up's
  GateUp,         // rows gate | up
  UpGate,         // rows up | gate
  Down,
  OutputNorm,  // after the feed-forward layer, or before it (norm_first)
  FinalNorm,
  Pooler,  // not used for pooling here
  HeadDense,
  HeadNorm,
  Classifier,
  QueryWeights,  // of a sparse encoder, by token
  Dense,         // after the pooling; `layer` counts these layers
};

// Whether a matrix with this role is never quantized: it is small, and a result depends on each
// value.
[[nodiscard]] constexpr bool keeps_floats(EncoderRole role) {
  return role == EncoderRole::Dense || role == EncoderRole::RelativeBias ||
         role == EncoderRole::RelativeEmbedding || role == EncoderRole::HeadDense ||
         role == EncoderRole::Router || role == EncoderRole::Classifier;
}

// A dimension in terms of the config.
enum class EncoderExtent : uint8_t {
  One,  // no second dimension: a vector
  Vocab,
  Embedding,  // width of the embedding tables
  Hidden,
  Heads,    // num_heads
  Inner,    // num_heads · head_dim
  Inner3,   // 3 · num_heads · head_dim
  KvInner,  // kv_heads · head_dim
  Ff,       // intermediate_size
  TwoFf,    // 2 · intermediate_size
  Positions,
  TokenTypes,
  Buckets,
  Places,  // relative embeddings
  Experts,
  Narrow,    // narrow_size
  Trigrams,  // 3 · width of the embedding tables
};

// When a tensor must be present. Never: the architecture does not have it.
enum class EncoderRule : uint8_t {
  Never,
  Optional,
  Always,
  NormBias,
  AttentionBias,
  MlpBias,
  TokenTypes,     // where type_vocab_size is above 0
  Projected,      // where embeddings have another width than hidden states
  NotFirstLayer,  // in all layers but the first
  Gated,
  NotGated,
  Experts,  // in the layers with experts; a bias with this rule needs no weight
  NoExperts,
  RelativeNorm,
  RelativeKeys,     // where these are not made by the layer's own key
  RelativeQueries,  // likewise
};

struct EncoderTensorRow {
  EncoderRole role = EncoderRole::WordEmbedding;
  // Without `.weight`. '#' stands for the index of the layer, and '@' for that of a part of it.
  std::string_view name;
  EncoderExtent rows = EncoderExtent::Hidden;
  EncoderExtent cols = EncoderExtent::One;
  bool linear = false;  // follows LinearLayout; tables (embeddings) and vectors do not
  EncoderRule weight = EncoderRule::Always;
  EncoderRule bias = EncoderRule::Never;
  // The part of the layer, from 1 on; 0: the layer itself. With '@' it is the first one of those up
  // to EncoderFacts::parts().
  uint8_t part = 0;
};

struct EncoderArchitecture {
  std::string_view name;  // Hugging Face's model_type
  EncoderFacts facts;
  std::span<const StatedFact> stated;
  // In file order: tensors before the layers, those of a layer, and those after the layers.
  std::span<const EncoderTensorRow> tensors;
  HeadLayout head = {};  // of the models that classify
  // Why facts do not go together, or nullptr. Without the function they always do.
  const char* (EncoderFacts::*fault)() const = nullptr;
};

// The architectures that one module reads or runs.
using EncoderArchitectures = std::span<const EncoderArchitecture* const>;

// Returns nullptr when `name` is not in the list.
[[nodiscard]] const EncoderArchitecture* find_architecture(EncoderArchitectures known,
                                                           std::string_view name);

}  // namespace ambry::model
