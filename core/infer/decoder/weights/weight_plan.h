// Which tensors of a file a decoder uses, in which role, and in which part of a pass (decoder.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "kernels/gemm/weight_matrix.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "model/file/model.h"

namespace ambry::infer {

struct PlannedTensor {
  size_t tensor = 0;  // index in Model::tensors
  std::string name;
  model::DecoderRole role = model::DecoderRole::TokenEmbedding;
  uint32_t layer = model::kNoLayer;
  uint32_t expert = model::kNoExpert;
  bool bias = false;
  tensor::DType stored_as = tensor::DType::F32;
  // The type it runs as. ALT's int8, for example, is stored in ggml's blocks.
  tensor::DType dtype = tensor::DType::F32;
  std::optional<tensor::Quantization> quantization;
  uint64_t rows = 0;
  uint64_t cols = 0;        // 0: a vector of `rows` values
  bool transposed = false;  // stored as [cols, rows]
  float factor = 1;         // multiplies all values
  uint64_t stored_bytes = 0;
  uint64_t resident_bytes = 0;  // in memory, once packed for the kernels

  // A convolution is small, and no product of matrices uses it.
  [[nodiscard]] bool is_matrix() const {
    return cols > 0 && role != model::DecoderRole::Convolution;
  }
  [[nodiscard]] uint64_t n_values() const { return cols > 0 ? rows * cols : rows; }
};

// The parts of a model: the embeddings, then the attention (or what mixes tokens in its place) and
// the feed-forward layer of each layer, then the output. The dense layers of an embedding are in
// the first part.
inline constexpr size_t kEmbeddingPart = 0;
[[nodiscard]] constexpr size_t attention_part(uint32_t layer) { return 1 + 2 * size_t{layer}; }
[[nodiscard]] constexpr size_t mlp_part(uint32_t layer) { return 2 + 2 * size_t{layer}; }
[[nodiscard]] constexpr size_t output_part(uint32_t n_layers) { return 1 + 2 * size_t{n_layers}; }
// `embeddings`, `layers[2].attention` (or `layers[2].conv`, by its type), `layers[2].mlp`,
// `output`.
[[nodiscard]] std::string part_name(size_t part, const model::DecoderConfig& config);
// Each expert of each layer is a part, too. These come after the output and are needed only if a
// token takes the expert.
[[nodiscard]] constexpr size_t first_expert_part(const model::DecoderConfig& config) {
  return output_part(config.n_layers) + 1;
}
[[nodiscard]] constexpr size_t expert_part(const model::DecoderConfig& config, uint32_t layer,
                                           uint32_t expert) {
  return first_expert_part(config) + size_t{layer} * config.experts.count + expert;
}

struct WeightPlan {
  model::DecoderConfig config;  // n_vocab is the number of rows of the embedding
  uint32_t n_vocab = 0;         // as in the model's config
  uint32_t n_tokens = 0;        // ids that the tokenizer can produce; n_vocab without a tokenizer
  std::vector<PlannedTensor> tensors;
  std::vector<std::vector<size_t>> parts;  // the matrices of each part, as indices into `tensors`
  bool has_output = true;                  // whether the file has what makes logits
  uint64_t total_bytes = 0;                // resident bytes of all tensors
  uint64_t least_bytes = 0;                // resident bytes of the vectors and the largest part
};

// NotFound for a missing tensor and Mismatch for a wrong shape, both with the expected shape;
// Unsupported for a type that cannot be run. Where the embedding has more rows than the vocabulary
// has tokens, the others are padding (core/formats/alt/README.md#vocabulary-rows).
[[nodiscard]] Result<WeightPlan> plan_weights(const model::Model& model,
                                              const model::DecoderConfig& config,
                                              kernels::ActivationPrecision precision);

}  // namespace ambry::infer
