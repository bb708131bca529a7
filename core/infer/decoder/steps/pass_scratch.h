// The scratch memory of a forward pass. It is kept from pass to pass and grows when a pass needs
// more.
#pragma once

#include <cstddef>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/decoder/weights/decoder_options.h"

namespace ambry::infer {

class Decoder;

class PassScratch {
 public:
  // Makes room for blocks of `n_tokens`, of which at most kPassRows are inside a layer at a time.
  // LimitExceeded when the heap is full.
  [[nodiscard]] Result<void> reserve(const Decoder& decoder, size_t n_tokens);
  // Makes room for the kernels, for `rows` tokens, the weights in memory and each thread of the
  // decoder's team. May be called while the rest is in use.
  [[nodiscard]] Result<void> reserve_kernels(const Decoder& decoder, size_t rows);

  // For every token of the block.
  float* hidden = nullptr;  // n_embd: the hidden state
  // n_embd: the first result where two parts read the same input: attention's beside a feed-forward
  // layer's, or a state space's beside attention's.
  float* attended = nullptr;

  float* of_experts = nullptr;  // n_embd: the sum over the experts, where layers have some
  float* of_shared = nullptr;   // n_embd: the normalized part beside them, where it has a norm
  float* streams = nullptr;     // n_streams * n_embd, one stream after another
  float* per_layer = nullptr;   // n_layers * n_embd_per_layer: inputs of layers; and one row more

  // For kPassRows tokens.
  float* normed = nullptr;     // n_embd
  float* fused = nullptr;      // query, key and value from one matrix; gate and up; mixer_input;
                               // what a router gives
  float* query = nullptr;      // n_heads * head_dim, of the largest layer, as all that follows
  float* key = nullptr;        // n_kv_heads * head_dim
  float* value = nullptr;      // n_kv_heads * head_dim
  float* context = nullptr;    // n_heads * head_dim, or what a layer mixes in another way
  float* wide = nullptr;       // n_ff, or that of experts: gate, or up where there is none;
                               // or a narrow layer's result
  float* up = nullptr;         // n_ff, or that of experts
  float* out = nullptr;        // n_embd
  float* convolved = nullptr;  // one row of what passes the convolution of a state space
  float* gate = nullptr;       // of each value in `context`, where it is gated
  float* betas = nullptr;      // heads of values of a gated delta net
  float* steps = nullptr;      // the same number

  // For a token whose state is computed again.
  float* replayed = nullptr;

  // Scratch of products and attention, for one of the threads.
  [[nodiscard]] std::span<float> kernels(size_t thread) {
    return kernels_.as<float>().subspan(thread * floats_of_thread_, floats_of_thread_);
  }

 private:
  AlignedBuffer memory_;
  AlignedBuffer kernels_;
  size_t floats_of_thread_ = 0;
};

}  // namespace ambry::infer
