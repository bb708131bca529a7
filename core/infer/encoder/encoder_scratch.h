// The scratch memory of an encoder. It is kept from batch to batch and grows when a batch needs
// more.
#pragma once

#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/encoder.h"
#include "infer/encoder/scratch/disentangled_scratch.h"
#include "infer/encoder/scratch/position_scratch.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "kernels/gemm/int8_gemm.h"

namespace ambry::infer {

// Rows that go through the feed-forward layer together. Its wide intermediate result then stays in
// the cache, and never exists for the whole batch. A multiple of the GEMM's tiles of 5 and 6 rows.
inline constexpr size_t kFeedForwardRows = 60;

class EncoderScratch {
 public:
  // Makes room for `batch`; LimitExceeded when the heap is full.
  [[nodiscard]] Result<void> reserve(const EncoderWeights& weights,
                                     std::span<const Sequence> batch);
  // Makes room for what BERT's forward pass does not need.
  [[nodiscard]] Result<void> reserve_general(const EncoderWeights& weights,
                                             std::span<const Sequence> batch);

  // Query, key and value of each token side by side: tokens x 3 inner_size(). Before the layers,
  // embeddings that are yet to be projected.
  [[nodiscard]] float* qkv() { return qkv_.as<float>().data(); }
  // Results of the attention heads: tokens x inner_size().
  [[nodiscard]] float* context() { return context_.as<float>().data(); }
  // kFeedForwardRows x intermediate, or twice that where layers are gated.
  [[nodiscard]] float* intermediate() { return intermediate_.as<float>().data(); }
  [[nodiscard]] std::span<float> attention() { return attention_.as<float>(); }
  // Hidden states after a norm, where norms stand before the layers, or those before attention,
  // where they are added to its result: tokens x hidden. With experts, what expert_parts.h has in
  // it, and with narrow layers the states within them: tokens x narrow_size.
  [[nodiscard]] float* normed() { return normed_.as<float>().data(); }
  [[nodiscard]] PositionScratch& positions() { return positions_; }
  [[nodiscard]] DisentangledScratch& disentangled() { return disentangled_; }
  // One token's embedding, or its query, key and value.
  [[nodiscard]] float* row() { return row_.as<float>().data(); }
  // Quantized inputs of layers with int8 weights (kernels/gemm/int8_gemm.h): all tokens at the
  // width of their hidden states, heads or embeddings, or kFeedForwardRows at intermediate width.
  [[nodiscard]] float* quantized() { return quantized_.as<float>().data(); }
  // Whether a layer has int8 weights.
  [[nodiscard]] bool has_quantized() const { return quantized_.size() > 0; }

 private:
  AlignedBuffer qkv_;
  AlignedBuffer context_;
  AlignedBuffer intermediate_;
  AlignedBuffer attention_;
  AlignedBuffer normed_;
  AlignedBuffer row_;
  AlignedBuffer quantized_;
  PositionScratch positions_;
  DisentangledScratch disentangled_;
};

}  // namespace ambry::infer
