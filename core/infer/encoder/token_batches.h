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
#include "text/unicode/encoding.h"

namespace ambry::infer {

class TokenBatches {
 public:
  // `types`: whether the encoder gets the types of the tokens. Without them all are 0.
  void add(const text::Encoding& encoding, bool types);
  // Adds a text by its ids, all of whose tokens see the first `n_seen`.
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
  // The texts of the batches that have run.
  [[nodiscard]] size_t done_texts() const { return done_texts_; }
  // Runs the next batch, if there is one, and calls write(text, hidden) for each of its texts with
  // the hidden states of its tokens. `first_only`: of the first token alone. `write` returns
  // Result<void>. Returns done().
  template <class Write>
  [[nodiscard]] Result<bool> step(const Encoder& encoder, bool first_only, Write write) {
    if (done()) return true;
    AMBRY_RETURN_IF_ERROR(run_next(encoder, first_only));
    const std::span<const uint32_t> texts = batches_[next_ - 1];
    for (size_t i = 0; i < texts.size(); ++i) AMBRY_RETURN_IF_ERROR(write(texts[i], hidden(i)));
    done_texts_ += texts.size();
    return done();
  }

 private:
  [[nodiscard]] Result<void> run_next(const Encoder& encoder, bool first_only);
  // The states of the i-th text of the batch that ran last.
  [[nodiscard]] std::span<const float> hidden(size_t i) const;
  [[nodiscard]] size_t begin_of(uint32_t text) const { return text == 0 ? 0 : ends_[text - 1]; }
  [[nodiscard]] Sequence sequence(uint32_t text) const;

  std::vector<uint32_t> ids_;       // of all texts, one after another
  std::vector<uint32_t> type_ids_;  // likewise, or empty
  std::vector<size_t> ends_;        // end of each text's ids
  std::vector<size_t> seen_;        // tokens of each text that are seen; empty: all of them
  std::vector<std::vector<uint32_t>> batches_;
  size_t next_ = 0;
  size_t done_texts_ = 0;
  // The working memory of a batch.
  std::vector<Sequence> sequences_;
  std::vector<size_t> hidden_ends_;
  AlignedBuffer hidden_;
};

}  // namespace ambry::infer
