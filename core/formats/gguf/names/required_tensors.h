// The tensors that a GGUF file must have, under its own names.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/gguf/names/tensor_names.h"
#include "model/decoder/decoder_config.h"
#include "model/file/tensor_index.h"
#include "model/file/tensor_spec.h"

namespace ambry::formats::gguf {

// The sizes that determine the shapes of an encoder's tensors.
struct Sizes {
  uint64_t n_vocab = 0;
  uint64_t n_embd = 0;
  uint64_t n_layers = 0;
  uint64_t n_heads = 0;
  uint64_t n_kv_heads = 0;
  uint64_t head_dim = 0;
  uint64_t n_ff = 0;
  uint64_t max_seq_len = 0;
};

[[nodiscard]] std::vector<model::TensorSpec> required_bert_tensors(const Sizes& sizes);

// The weights; biases and `output.weight` are checked when the model is made to run. Without
// tensors that the file stores as parts of another one.
[[nodiscard]] std::vector<model::TensorSpec> required_decoder_tensors(
    const GgufArchitecture& architecture, const model::DecoderConfig& facts,
    const model::TensorIndex& stored);

}  // namespace ambry::formats::gguf
