// A sentence encoder ready to run: embeddings, then transformer layers of any number and size. The
// sequences of a batch lie one after another and are never padded. Attention stays inside a
// sequence, so a text's result does not depend on the other texts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"

namespace ambry::infer {

struct EncoderWeights;
class EncoderScratch;
class EncoderScratchPool;

// One tokenized text, borrowed. `type_ids` is empty (all 0) or as long as `ids`; a model without
// token types does not read it. All tokens see the first `n_seen` tokens, and no others.
struct Sequence {
  std::span<const uint32_t> ids;
  std::span<const uint32_t> type_ids;
  size_t n_seen = SIZE_MAX;  // at least 1
};

[[nodiscard]] inline size_t longest_of(std::span<const Sequence> batch) {
  size_t longest = 0;
  for (const Sequence& sequence : batch) longest = std::max(longest, sequence.ids.size());
  return longest;
}

// The forward pass for a batch that has been checked, as Encoder::run(), or with `first_only` as
// Encoder::run_first(). Fails only when the heap is full.
using EncoderPass = Result<void> (*)(const EncoderWeights& weights, EncoderScratch& scratch,
                                     std::span<const Sequence> batch, bool first_only,
                                     std::span<float> out);

class Encoder {
 public:
  Encoder(std::unique_ptr<EncoderWeights> weights, EncoderPass pass);
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;
  ~Encoder();

  // The numbers of a token's vector.
  [[nodiscard]] uint32_t hidden_size() const;
  // The numbers of a sentence's vector: those that the last dense layer gives, or hidden_size().
  [[nodiscard]] uint32_t embedding_size() const;
  // The longest sequence that the model takes.
  [[nodiscard]] uint32_t max_positions() const;
  // How many types a token can have; 0 for a model that tells none apart.
  [[nodiscard]] uint64_t token_types() const;
  // Heap bytes of the weights.
  [[nodiscard]] uint64_t weight_bytes() const;

  // Writes the last layer's hidden states to `out`: hidden_size() values for every token of every
  // sequence, in order. `out` must have exactly that size. BadValue for an id outside the
  // vocabulary, LimitExceeded for a sequence that is too long or when the heap is full; the path is
  // like `sequences[2].ids[5]`. Several threads may run batches at the same time.
  [[nodiscard]] Result<void> run(std::span<const Sequence> batch, std::span<float> out) const;

  // Runs a batch for the first token of every sequence alone, which takes less time than run().
  // `out` has the size that run() needs; the rows of the sequences that are not empty come first.
  // The rest is working memory.
  [[nodiscard]] Result<void> run_first(std::span<const Sequence> batch, std::span<float> out) const;

  // Applies the dense layers, if there are any, to pooled vectors of hidden_size() numbers, one
  // after another. They have embedding_size() numbers then.
  void apply_dense(std::vector<float>& vectors) const;

  // Applies the dense layers for tokens to hidden states, one after another. Where the model gives
  // no vectors of whole texts, these are all dense layers.
  void apply_token_dense(std::vector<float>& rows) const;

  // The logits of a sequence by the classification head, which the model must have. `hidden` holds
  // the hidden states of its tokens.
  [[nodiscard]] std::vector<float> classify(std::span<const float> hidden) const;

  // The numbers that the head gives for tokens, one token after another. The model must have a head
  // for tokens. `hidden` holds the hidden states of the tokens. LimitExceeded when the heap is
  // full.
  [[nodiscard]] Result<AlignedBuffer> token_logits(std::span<const float> hidden) const;

  // The weights that a sparse encoder gives to the words of the vocabulary for a text, or to each
  // of its tokens (head/sparse_head_pass.h). `hidden` holds the hidden states of the tokens.
  // LimitExceeded when the heap is full.
  [[nodiscard]] Result<AlignedBuffer> sparse_weights(std::span<const float> hidden) const;
  // The fixed weights of a sparse encoder's queries, by token; empty where it runs queries.
  [[nodiscard]] std::span<const float> query_weights() const;

  [[nodiscard]] const EncoderWeights& weights() const { return *weights_; }

 private:
  [[nodiscard]] Result<void> run(std::span<const Sequence> batch, bool first_only,
                                 std::span<float> out) const;
  [[nodiscard]] Result<void> check(std::span<const Sequence> batch) const;

  std::unique_ptr<EncoderWeights> weights_;
  EncoderPass pass_;
  std::unique_ptr<EncoderScratchPool> scratch_pool_;
};

}  // namespace ambry::infer
