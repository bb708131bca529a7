// How a decoder language model makes embeddings: the object `embedding` of Model::config
// (core/formats/amb/README.md#embedding). Models without it only generate text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/encoder/head/dense_layers.h"

namespace ambry::model {

struct EmbeddingConfig {
  std::string pooling = "lasttoken";  // mean | cls | max | mean_sqrt_len | lasttoken
  bool normalize = true;
  uint32_t max_seq_len = 0;  // tokens that a text may have; 0: the model's own context
  std::vector<std::pair<std::string, std::string>> prompts;
  std::string default_prompt_name;
  bool include_prompt = true;      // whether the pooling takes in the prompt's tokens
  std::vector<DenseConfig> dense;  // after pooling, before normalization

  // The numbers of a text's vector. A token's vector has `width`, which is the model's n_embd.
  [[nodiscard]] uint32_t embedding_size(uint32_t width) const {
    return dense.empty() ? width : dense.back().out_features;
  }

  friend bool operator==(const EmbeddingConfig&, const EmbeddingConfig&) = default;
};

// Reads `config.embedding`; nothing when it is absent or null. `width` is n_embd. Unsupported for
// an unknown pooling, activation or key; NotFound for a default prompt without a text; Mismatch for
// a dense layer that does not take what the one before gives; BadValue for values of a wrong type.
// Paths start with `config.embedding`.
[[nodiscard]] Result<std::optional<EmbeddingConfig>> embedding_config(const io::Json& config,
                                                                      uint32_t width);

// The object that embedding_config() reads.
[[nodiscard]] io::Json embedding_document(const EmbeddingConfig& embedding);

}  // namespace ambry::model
