// The tensors of each decoder architecture under Hugging Face's names: their roles and shapes, and
// when a model has them (core/formats/amb/README.md#tensor-names).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/decoder/architectures/architecture.h"
#include "model/decoder/architectures/decoder_role.h"

namespace ambry::model {

// A dimension in terms of the config.
enum class DecoderExtent : uint8_t {
  One,        // no second dimension: a vector
  Vocab,      // n_vocab
  Embd,       // n_embd
  HeadDim,    // head_dim
  Heads,      // n_heads · head_dim
  Queries,    // n_heads · head_dim, twice with gates (config.attn_gate)
  KvHeads,    // n_kv_heads · head_dim
  QkvHeads,   // (n_heads + 2 n_kv_heads) · head_dim
  Ff,         // n_ff
  TwoFf,      // 2 n_ff
  Experts,    // experts.count
  ExpertFf,   // experts.n_ff
  Positions,  // max_seq_len
  ThreeEmbd,  // 3 n_embd
  ConvTaps,   // conv_taps
  // What state spaces have: what the first matrix makes, what passes the convolution, and what the
  // heads give; a value for each head.
  SpaceInput,
  SpaceChannels,
  SpaceWidth,
  SpaceHeads,
  // What a gated delta net has: what is convolved, the values of all heads, and the heads of
  // values.
  DeltaChannels,
  DeltaValues,
  DeltaHeads,
  DeltaValueDim,
  // config.extras:
  PerLayer,       // n_embd_per_layer
  AllPerLayer,    // n_layers · n_embd_per_layer
  VocabPerLayer,  // n_vocab_per_layer
  LaurelRank,     // laurel_rank
  Streams,        // n_streams
  StreamPairs,    // n_streams²
};

// When a tensor must be present. Never: the architecture does not have it.
enum class DecoderRule : uint8_t {
  Never,
  Optional,
  Always,
  AttnBias,    // config.attn_bias
  MlpBias,     // config.mlp_bias
  ConvBias,    // config.conv_bias
  StateNorm,   // config.state_norm
  Sequential,  // unless config.parallel_residual; else optional
  Learned,     // for learned positions
  Untied,      // unless config.tie_word_embeddings; else optional
  OwnKey,      // unless the layer shares the keys of another; else optional
  OwnValue,    // the same, and unless its keys are its values
  // With what config.extras states:
  PerLayerInput,
  Laurel,
  Streams,
};

struct DecoderTensorRow {
  DecoderRole role = DecoderRole::TokenEmbedding;
  std::string_view name;  // '#' stands for the index of the layer, '*' for that of the expert
  DecoderExtent rows = DecoderExtent::Embd;
  DecoderExtent cols = DecoderExtent::One;
  bool linear = false;  // follows LinearLayout; tables (embeddings) and vectors do not
  DecoderRule weight = DecoderRule::Always;
  DecoderRule bias = DecoderRule::Never;
  // Rows leave it out, which GCC reports without this.
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::string_view other_name = {};
};

// In file order: tensors before the layers, those of a layer, and those after the layers.
[[nodiscard]] std::span<const DecoderTensorRow> decoder_tensor_rows(
    DecoderArchitecture architecture);

}  // namespace ambry::model
