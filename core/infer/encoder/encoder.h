// A BERT sentence encoder ready to run: embeddings, then post-LayerNorm transformer layers, any
// number and size of them. Sequences of a batch are laid one after another and never padded;
// attention stays inside a sequence, so a text's result does not depend on its neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"

namespace ambry::infer {

struct EncoderWeights;
class EncoderScratch;

// One tokenized text, borrowed. `type_ids` is empty (all 0) or as long as `ids`.
struct Sequence {
  std::span<const uint32_t> ids;
  std::span<const uint32_t> type_ids;
};

class Encoder {
 public:
  explicit Encoder(std::unique_ptr<EncoderWeights> weights);
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;
  ~Encoder();

  [[nodiscard]] uint32_t hidden_size() const;
  // The longest sequence that the position table can serve.
  [[nodiscard]] uint32_t max_positions() const;
  // Heap bytes that the weights take, as held for running.
  [[nodiscard]] uint64_t weight_bytes() const;

  // The last layer's hidden states: hidden_size() numbers for every token of every sequence, in
  // order, into `out`, which must have exactly that size. BadValue for an id outside the
  // vocabulary, LimitExceeded for a sequence that is too long; the path is like
  // `sequences[2].ids[5]`.
  [[nodiscard]] Result<void> run(std::span<const Sequence> batch, std::span<float> out);
  // The same in working memory of the caller's: threads may run side by side, each with its own.
  [[nodiscard]] Result<void> run(std::span<const Sequence> batch, std::span<float> out,
                                 EncoderScratch& scratch) const;
  // Makes room for `batch`, which then runs there without allocating and without failing.
  // LimitExceeded when the heap is full; else as run().
  [[nodiscard]] Result<void> reserve(std::span<const Sequence> batch,
                                     EncoderScratch& scratch) const;
  // What run() uses by itself, kept from batch to batch.
  [[nodiscard]] EncoderScratch& scratch() { return *scratch_; }

  [[nodiscard]] const EncoderWeights& weights() const { return *weights_; }

 private:
  [[nodiscard]] Result<void> check(std::span<const Sequence> batch) const;

  std::unique_ptr<EncoderWeights> weights_;
  std::unique_ptr<EncoderScratch> scratch_;
};

}  // namespace ambry::infer
