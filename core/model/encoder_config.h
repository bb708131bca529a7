// What an encoder needs to know about itself beside its weights, in one vocabulary over all formats.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
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
  std::string pooling = "mean";
  bool normalize = true;
  uint32_t max_seq_length = 256;
  std::vector<std::pair<std::string, std::string>> prompts;
  std::string default_prompt_name;
  bool include_prompt = true;
};

// From the model's metadata, with defaults for what it leaves out (amb_and_embd.md B1, row 20), and
// from the shapes of its tensors.
[[nodiscard]] Result<EncoderConfig> encoder_config(const Model& model);

}  // namespace ambry::model
