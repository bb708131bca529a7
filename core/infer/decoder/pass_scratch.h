// The working memory of a forward pass, kept from pass to pass and grown when one needs more.
#pragma once

#include <cstddef>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"

namespace ambry::infer {

class Decoder;

// Tokens that pass a layer together: enough for a dequantised panel of weights to be worth its
// while, few enough that the feed-forward layer's wide rows stay small.
inline constexpr size_t kPassRows = 64;

class PassScratch {
 public:
  // For blocks of `n_tokens`, of which at most kPassRows are inside a layer at a time.
  // LimitExceeded when the heap is full.
  [[nodiscard]] Result<void> reserve(const Decoder& decoder, size_t n_tokens);
  // For what the kernels want for `rows` tokens and the weights that are there; may be asked for
  // again while the rest is in use.
  [[nodiscard]] Result<void> reserve_kernels(const Decoder& decoder, size_t rows);

  // Of every token of the block.
  float* hidden = nullptr;    // n_embd: what goes from layer to layer
  float* attended = nullptr;  // n_embd: of layers whose two halves read the same input

  // Of kPassRows tokens.
  float* normed = nullptr;   // n_embd
  float* fused = nullptr;    // query, key and value as one matrix gives them; gate and up
  float* query = nullptr;    // n_heads * head_dim
  float* key = nullptr;      // n_kv_heads * head_dim
  float* value = nullptr;    // n_kv_heads * head_dim
  float* context = nullptr;  // n_heads * head_dim
  float* wide = nullptr;     // n_ff: gate, or up where there is none
  float* up = nullptr;       // n_ff
  float* out = nullptr;      // n_embd

  // What a product or attention works with.
  [[nodiscard]] std::span<float> kernels() { return kernels_.as<float>(); }

 private:
  AlignedBuffer memory_;
  AlignedBuffer kernels_;
};

}  // namespace ambry::infer
