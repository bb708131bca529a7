// The tensors that GGUF files of common architectures have, under llama.cpp's names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/tensor_spec.h"

namespace ambry::formats::gguf {

// The sizes that determine the shapes. 0 means not stated.
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

// Returns nothing for an architecture without a table.
[[nodiscard]] std::optional<std::vector<model::TensorSpec>> required_tensors(
    std::string_view architecture, const Sizes& sizes);

}  // namespace ambry::formats::gguf
