// An encoder's weights in the form in which they run.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/aligned_buffer.h"
#include "infer/encoder/weights/embedding_table.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"
#include "kernels/gemm/layout/packed_int8_weights.h"
#include "model/encoder/architectures/encoder_facts.h"
#include "model/encoder/head/dense_layers.h"
#include "model/encoder/head/head_config.h"

namespace ambry::infer {

// Silu only where layers are gated, QuickGelu only where they are not.
enum class Activation : uint8_t { GeluErf, GeluTanh, Relu, Silu, QuickGelu };
// How the two matrices before a gated layer's product are stored.
enum class GateOrder : uint8_t { Separate, GateUp, UpGate };

// f32 values, padded with zeros to a multiple of kernels::kPanelColumns.
struct PaddedVector {
  AlignedBuffer values;

  [[nodiscard]] const float* data() const { return values.as<float>().data(); }
};

// A weight [outputs, inputs] in f32 or int8. The other one is empty.
struct LinearWeight {
  kernels::PackedF32Matrix f32;
  kernels::PackedInt8Weights int8;

  [[nodiscard]] bool is_int8() const { return int8.n() > 0; }
  [[nodiscard]] size_t outputs() const { return is_int8() ? int8.n() : f32.n(); }
  [[nodiscard]] size_t bytes() const { return f32.bytes() + int8.bytes(); }
};

struct Linear {
  LinearWeight weight;
  PaddedVector bias;
};

// Without weights it changes nothing: the architecture has no such norm.
struct LayerNorm {
  PaddedVector weight;
  PaddedVector bias;  // not of RMS norms

  [[nodiscard]] bool empty() const { return weight.values.size() == 0; }
};

struct EncoderLayer {
  Linear query;  // or query, key and value in one matrix; the other two are empty then
  Linear key;
  Linear value;
  Linear relative_key;  // of DeBERTa; empty where `key` and `query` do their work
  Linear relative_query;
  LayerNorm query_norm;
  LayerNorm key_norm;
  Linear attention_output;
  LayerNorm attention_norm;
  LayerNorm repeated_norm;
  Linear gate;          // only with GateOrder::Separate; of a layer with experts, its router
  Linear intermediate;  // of a gated layer: up, or both matrices
  Linear output;
  LayerNorm output_norm;
};

// A layer after the pooling. Its weight is in f32.
struct DenseLayer {
  Linear linear;
  model::DenseActivation activation = model::DenseActivation::Identity;
};

// The head of a text (classification_head.h), or of each of its tokens (token_head_pass.h).
struct Head {
  model::HeadPooling pooling = model::HeadPooling::First;
  std::optional<DenseLayer> dense;
  std::optional<LayerNorm> norm;
  DenseLayer classifier;  // without a matrix: the word embeddings are that
  model::SparseSettings sparse;
  PaddedVector query_weights;  // of sparse.n_query_weights tokens

  [[nodiscard]] uint64_t bytes() const;
};

struct EncoderWeights {
  uint32_t hidden_size = 0;
  uint32_t num_heads = 0;
  uint32_t head_dim = 0;
  uint32_t intermediate_size = 0;
  uint32_t num_layers = 0;
  uint32_t max_tokens = 0;
  float layer_norm_eps = 0;
  Activation activation = Activation::GeluErf;
  model::EncoderFacts facts;
  bool fused_attention = false;  // EncoderLayer::query has the key and the value, too
  GateOrder gate_order = GateOrder::Separate;
  EmbeddingTable word_embeddings;
  EmbeddingTable position_embeddings;    // no rows: other positions
  EmbeddingTable token_type_embeddings;  // no rows: no types
  LayerNorm embedding_norm;
  Linear embedding_projection;  // empty where the embeddings have the width of hidden states
  EmbeddingTable relative_bias;
  EmbeddingTable relative_embeddings;
  LayerNorm relative_norm;
  // First the layers, fewer than num_layers where they share their weights. Then the parts of each
  // layer (EncoderFacts::parts).
  std::vector<EncoderLayer> layers;
  uint32_t weight_layers = 0;
  LayerNorm final_norm;
  std::vector<DenseLayer> dense;
  std::vector<DenseLayer> token_dense;  // of tokens, where `dense` is not for them
  std::optional<Head> head;

  // The width of a token's query: of all heads together.
  [[nodiscard]] size_t inner_size() const { return size_t{num_heads} * head_dim; }
  // The width of the embedding tables.
  [[nodiscard]] size_t embedding_width() const {
    return facts.embedding_size > 0 ? facts.embedding_size : hidden_size;
  }
  // The scale for kernels::AttentionShape: 0 stands for 1 / √head_dim.
  [[nodiscard]] float score_scale() const {
    if (!facts.scale_scores) return 1;
    const auto parts = static_cast<float>(facts.score_parts());
    return parts == 1 ? 0 : 1 / std::sqrt(static_cast<float>(head_dim) * parts);
  }
  [[nodiscard]] const EncoderLayer& layer(uint32_t i) const {
    return layers[size_t{i} * weight_layers / num_layers];
  }
  // The part with this number, from 1 on, of a layer with weights of its own; 0: the layer itself.
  [[nodiscard]] size_t part_index(uint32_t layer, uint32_t part) const {
    return part == 0 ? layer : weight_layers + size_t{layer} * facts.parts() + part - 1;
  }
  [[nodiscard]] const EncoderLayer& part(uint32_t layer, uint32_t part) const {
    return layers[part_index(layer, part)];
  }
  [[nodiscard]] EncoderLayer& part(uint32_t layer, uint32_t part) {
    return layers[part_index(layer, part)];
  }
};

}  // namespace ambry::infer
