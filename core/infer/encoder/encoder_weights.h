// An encoder's weights in the form in which they run.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"
#include "infer/encoder/embedding_table.h"
#include "kernels/gemm/packed_f32_matrix.h"
#include "kernels/gemm/packed_int8_weights.h"

namespace ambry::infer {

enum class Activation : uint8_t { GeluErf, GeluTanh, Relu };

// f32 numbers, filled up with zeros to a multiple of kernels::kPanelColumns.
struct Vector {
  AlignedBuffer values;

  [[nodiscard]] const float* data() const { return values.as<float>().data(); }
};

// [outputs, inputs]: in f32, or the codes of an int8 weight. One of the two is empty.
struct LinearWeight {
  kernels::PackedMatrix numbers;
  kernels::ByteMatrix codes;

  [[nodiscard]] bool is_codes() const { return codes.n() > 0; }
  [[nodiscard]] size_t bytes() const { return numbers.bytes() + codes.bytes(); }
};

struct Linear {
  LinearWeight weight;
  Vector bias;
};

struct LayerNorm {
  Vector weight;
  Vector bias;
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
};

}  // namespace ambry::infer
