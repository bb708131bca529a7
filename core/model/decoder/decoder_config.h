// The facts needed to run a decoder language model, under the same names for all formats. They come
// from Model::config, else from the tensors, else from AMB's defaults
// (core/formats/amb/README.md#config).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "io/diagnostics.h"
#include "model/decoder/architectures/architecture.h"
#include "model/decoder/architectures/layer_kind.h"
#include "model/decoder/config/embedding_config.h"
#include "model/decoder/config/expert_config.h"
#include "model/decoder/config/gated_delta_config.h"
#include "model/decoder/config/rope_scaling.h"
#include "model/decoder/config/state_space_config.h"
#include "model/decoder/decoder_extras.h"
#include "model/file/model.h"

namespace ambry::model {

// What one layer has learned for the activation xIELU: softplus(alpha_p) x² + beta x above 0, else
// (beta + softplus(alpha_n)) (e^min(x, eps) - 1 - x) + beta x (Huang and Schlag, "Deriving
// Activation Functions Using Integration", 2024).
struct XieluParameters {
  double alpha_p = 0;
  double alpha_n = 0;
  double beta = 0;
  double eps = 0;

  friend bool operator==(const XieluParameters&, const XieluParameters&) = default;
};

struct DecoderConfig {
  DecoderArchitecture architecture = DecoderArchitecture::Llama;
  uint32_t n_vocab = 0;
  uint32_t n_embd = 0;
  uint32_t n_layers = 0;
  uint32_t n_heads = 0;
  uint32_t n_kv_heads = 0;
  uint32_t n_ff = 0;
  uint32_t head_dim = 0;
  uint32_t max_seq_len = 0;
  DecoderNorm norm = DecoderNorm::Rms;
  double norm_eps = 1e-5;
  double norm_offset = 0;  // added to the weights of norms: gemma stores them minus 1
  DecoderActivation activation = DecoderActivation::Silu;
  bool gated = true;                   // down(act(gate(x)) * up(x)) instead of down(act(up(x)))
  std::vector<XieluParameters> xielu;  // for each layer; empty with another activation
  ExpertConfig experts;
  DecoderPositions positions = DecoderPositions::Rope;
  double rope_freq_base = 10'000;
  RopeScaling rope_scaling;
  RopeStyle rope_style = RopeStyle::Half;
  double partial_rotary_factor = 1;  // share of a head's dimensions that are rotated
  uint32_t n_rotated = 0;            // number of a head's dimensions that are rotated
  double rope_local_freq_base = 0;   // of local layers, without scaling; 0: as in the others
  std::vector<bool> rotated_layers;  // which layers rotate; empty: all
  bool norm_after_rope = false;      // queries and keys are normalized once they are rotated
  bool tie_word_embeddings = false;
  bool attn_bias = false;
  bool mlp_bias = false;
  bool parallel_residual = false;  // whether attention and MLP read the same input
  bool qkv_per_head =
      false;  // a fused matrix has the query, key and value of each kv head together
  std::optional<uint32_t> sliding_window;  // how many last positions local layers see
  std::vector<bool> local_layers;          // which layers are local; empty: all
  std::vector<LayerKind> layer_kinds;      // of each layer; empty: all attend
  bool separate_mlp = false;     // no layer both mixes tokens and has a feed-forward layer
  StateSpaceConfig state_space;  // of the layers that are state spaces
  bool decay_is_log = true;      // the decays of states are stored as ln(-a), else as a
  bool state_norm = false;       // a state's output is normalized before the last matrix
  bool conv_bias = false;
  uint32_t conv_taps = 0;   // tokens that the convolution of a layer sees
  GatedDeltaConfig delta;   // of the layers that are gated delta nets
  bool attn_gate = false;   // a query comes with a gate of its head's result
  double attn_scale = 0;    // of scores; 0: 1/√head_dim
  double attn_softcap = 0;  // 0: none
  // The query at position p is multiplied by 1 + scale · ln(1 + ⌊p / length⌋); scale 0: by 1.
  double attn_temperature_scale = 0;
  uint32_t attn_temperature_length = 0;
  double final_softcap = 0;  // 0: none
  double embed_scale = 1;
  double residual_scale = 1;  // of what a layer adds to the hidden state
  double logit_scale = 1;
  double attn_out_scale = 1;  // of what attention gives
  double mlp_gate_scale = 1;  // of a gate before its activation
  double mlp_out_scale = 1;   // of what the feed-forward layer gives
  // Whether tokens attend to later ones, too. Such a model makes embeddings and no text. A window
  // then reaches sliding_window / 2 positions to either side.
  bool bidirectional = false;
  std::optional<EmbeddingConfig> embedding;  // nothing: the model only generates text
  bool ranks = false;                        // whether the config says how (reranker_config.h)
  bool rank_head = false;                    // whether it does so with RerankerConfig::head
  // With RerankerConfig::first_layer: after so many layers or more, a layer of its own ranks.
  uint32_t first_ranked_layer = 0;  // 0: there are no such layers
  DecoderExtras extras;

  [[nodiscard]] bool is_local(uint32_t layer) const {
    return local_layers.empty() || local_layers[layer];
  }
  // How many last positions this layer sees; 0: all.
  [[nodiscard]] uint32_t window_of(uint32_t layer) const {
    return is_local(layer) ? sliding_window.value_or(0) : 0;
  }
  [[nodiscard]] bool is_rotated(uint32_t layer) const {
    return positions == DecoderPositions::Rope && (rotated_layers.empty() || rotated_layers[layer]);
  }

  [[nodiscard]] LayerKind kind_of(uint32_t layer) const {
    return layer_kinds.empty() ? LayerKind::Attention : layer_kinds[layer];
  }
  [[nodiscard]] bool has_mlp(uint32_t layer) const {
    return !separate_mlp || kind_of(layer) == LayerKind::None;
  }

  // Sizes of a layer: most models have the same in all layers.
  [[nodiscard]] uint32_t head_dim_of(uint32_t layer) const {
    return extras.global_head_dim == 0 || is_local(layer) ? head_dim : extras.global_head_dim;
  }
  [[nodiscard]] uint32_t n_kv_heads_of(uint32_t layer) const {
    return extras.global_kv_heads == 0 || is_local(layer) ? n_kv_heads : extras.global_kv_heads;
  }
  [[nodiscard]] uint32_t n_ff_of(uint32_t layer) const {
    return extras.shared_ff == 0 || kv_layer(layer) == layer ? n_ff : extras.shared_ff;
  }
  // The layer whose keys and values this layer attends to: itself in most models.
  [[nodiscard]] uint32_t kv_layer(uint32_t layer) const;
  // Whether it has keys and values of its own.
  [[nodiscard]] bool keeps_keys(uint32_t layer) const {
    return attends(kind_of(layer)) && kv_layer(layer) == layer;
  }
  // Whether a layer after this one attends to its keys and values, too.
  [[nodiscard]] bool lends_keys(uint32_t layer) const;
  // Whether the values of this layer are its keys.
  [[nodiscard]] bool keys_are_values(uint32_t layer) const {
    return extras.key_is_value && !is_local(layer);
  }

  // The layers that rank, each after another number of layers; 0: there are none.
  [[nodiscard]] uint32_t n_layer_heads() const {
    return first_ranked_layer == 0 ? 0 : n_layers - first_ranked_layer + 1;
  }

  friend bool operator==(const DecoderConfig&, const DecoderConfig&) = default;
};

// The layers that follow a hidden state, one after another: those of an embedding, or the one that
// ranks.
[[nodiscard]] std::vector<DenseConfig> decoder_dense_layers(const DecoderConfig& config);

// How the config says that the linear layers are stored: `linear_layout` "out_in" or "in_out", or
// the architecture's default. Parsers use it to set Model::linear_layout.
[[nodiscard]] Result<LinearLayout> decoder_linear_layout(const io::Json& config);

// Reads Model::config. When a key is absent, the key of Hugging Face's config.json is used
// (`hidden_size` for `n_embd`). NotFound for a missing fact; Unsupported for an unknown
// architecture, activation or scaling; BadValue for a value that cannot be right. Paths start with
// `config.`. Guesses become warnings.
[[nodiscard]] Result<DecoderConfig> decoder_config(const Model& model,
                                                   io::Diagnostics& diagnostics);

}  // namespace ambry::model
