// An encoder's weights in the form in which they run.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"
#include "infer/encoder/embedding_table.h"
#include "kernels/gemm/packed_f32_matrix.h"
#include "kernels/gemm/packed_int8_weights.h"
#include "model/encoder/dense_layers.h"

namespace ambry::infer {

enum class Activation : uint8_t { GeluErf, GeluTanh, Relu };

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
  [[nodiscard]] size_t bytes() const { return f32.bytes() + int8.bytes(); }
};

struct Linear {
  LinearWeight weight;
  PaddedVector bias;
};

struct LayerNorm {
  PaddedVector weight;
  PaddedVector bias;
};

struct EncoderLayer {
  Linear query;
  Linear key;
  Linear value;
  Linear attention_output;
  LayerNorm attention_norm;
  Linear intermediate;
  Linear output;
  LayerNorm output_norm;
};

// A layer after the pooling. Its weight is in f32.
struct DenseLayer {
  Linear linear;
  model::DenseActivation activation = model::DenseActivation::Identity;
};

struct EncoderWeights {
  uint32_t hidden_size = 0;
  uint32_t num_heads = 0;
  uint32_t intermediate_size = 0;
  float layer_norm_eps = 0;
  Activation activation = Activation::GeluErf;
  EmbeddingTable word_embeddings;
  EmbeddingTable position_embeddings;
  EmbeddingTable token_type_embeddings;
  LayerNorm embedding_norm;
  std::vector<EncoderLayer> layers;
  std::vector<DenseLayer> dense;
};

}  // namespace ambry::infer
