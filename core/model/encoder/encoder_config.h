// The facts needed to run a BERT sentence encoder. They come from the metadata, else from the
// shapes of the tensors, else from EMBD's defaults (core/formats/embd/README.md#model-facts).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/diagnostics.h"
#include "model/encoder/dense_layers.h"
#include "model/model.h"

namespace ambry::model {

struct EncoderConfig {
  std::string architecture = "bert";
  uint32_t vocab_size = 0;
  uint32_t hidden_size = 0;
  uint32_t num_layers = 0;
  uint32_t num_heads = 0;
  uint32_t intermediate_size = 0;
  uint32_t max_positions = 0;
  uint32_t type_vocab_size = 2;
  double layer_norm_eps = 1e-12;
  std::string hidden_act = "gelu";  // gelu | gelu_new | gelu_tanh | gelu_pytorch_tanh | relu
  std::string pooling = "mean";     // mean | cls | max | mean_sqrt_len | lasttoken
  bool normalize = true;
  uint32_t max_seq_length = 256;  // includes [CLS] and [SEP]; never above max_positions
  std::vector<std::pair<std::string, std::string>> prompts;
  std::string default_prompt_name;
  bool include_prompt = true;
  std::vector<DenseConfig> dense;  // after pooling, before normalization

  // The numbers of a sentence vector. A token's vector has hidden_size.
  [[nodiscard]] uint32_t embedding_size() const {
    return dense.empty() ? hidden_size : dense.back().out_features;
  }

  friend bool operator==(const EncoderConfig&, const EncoderConfig&) = default;
};

// Unsupported for another architecture, activation or pooling. NotFound and Mismatch for dense
// layers that are incomplete. BadValue at a metadata value that
// cannot be right, such as heads that do not divide the width. Guesses become warnings.
[[nodiscard]] Result<EncoderConfig> encoder_config(const Model& model,
                                                   io::Diagnostics& diagnostics);
[[nodiscard]] Result<EncoderConfig> encoder_config(const Model& model);

}  // namespace ambry::model
