// The tokens of several texts or pairs of texts, and the batches in which an encoder runs them:
// texts of similar length together.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/encoder.h"
#include "text/tokenizer/encoding.h"

namespace ambry::api {

class TokenBatches {
 public:
  // `types`: whether the encoder gets the types of the tokens. Without them all are 0.
  void add(const text::Encoding& encoding, bool types);
  // The same for ids. All tokens of the text see the first `n_seen`.
  void add(std::span<const uint32_t> ids, size_t n_seen);
  // Instead of add(): the ids of all texts, and where those of each end.
  void take(std::vector<uint32_t> ids, std::vector<size_t> ends) {
    ids_ = std::move(ids);
    ends_ = std::move(ends);
  }
  // Call once, when all texts are there.
  void plan();

  [[nodiscard]] size_t size() const { return ends_.size(); }
  [[nodiscard]] size_t length(uint32_t text) const { return ends_[text] - begin_of(text); }
  [[nodiscard]] std::span<const uint32_t> ids(uint32_t text) const {
    return std::span(ids_).subspan(begin_of(text), length(text));
  }

  // Whether all batches have run.
  [[nodiscard]] bool done() const { return next_ == batches_.size(); }
  // Runs the next batch. Call only while done() is false. `first_only`: for the first token of each
  // text alone.
  [[nodiscard]] Result<void> run_next(const infer::Encoder& encoder, bool first_only = false);
  // Of the batch that ran last: its texts, and the hidden states of the i-th of them, of all its
  // tokens or of the first. They are valid until the next one runs.
  [[nodiscard]] std::span<const uint32_t> texts() const { return batches_[next_ - 1]; }
  [[nodiscard]] std::span<const float> hidden(size_t i) const;

 private:
  [[nodiscard]] size_t begin_of(uint32_t text) const { return text == 0 ? 0 : ends_[text - 1]; }
  [[nodiscard]] infer::Sequence sequence(uint32_t text) const;

  std::vector<uint32_t> ids_;       // of all texts, one after another
  std::vector<uint32_t> type_ids_;  // likewise, or empty
  std::vector<size_t> ends_;        // end of each text's ids
  std::vector<size_t> seen_;        // tokens of each text that are seen; empty: all of them
  std::vector<std::vector<uint32_t>> batches_;
  size_t next_ = 0;
  // The working memory of a batch.
  std::vector<infer::Sequence> sequences_;
  std::vector<size_t> hidden_ends_;
  AlignedBuffer hidden_;
};

}  // namespace ambry::api
