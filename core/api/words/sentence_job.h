// Sentence vectors from word vectors, with the calls of EmbedJob: add() every text, start(), step()
// until it says true; a row a text, in the order of add().
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/words/sentences.h"
#include "infer/words/word_vectors.h"

namespace ambry::api {

class SentenceJob {
 public:
  // `options` is JSON {pooling: mean | sif, normalize: true}, both optional. BadValue with the path
  // `options.…` for anything else, and for a `prompt` or `dim`, which only encoders have.
  [[nodiscard]] static Result<SentenceJob> begin(std::shared_ptr<infer::WordVectors> vectors,
                                                 std::string_view options);

  void add(std::string_view text) { texts_.emplace_back(text); }
  [[nodiscard]] Result<void> start();
  // Range mode: JSON [[offset, size]], what the texts of the next step need and is not held; fetch
  // and supply() it before step().
  [[nodiscard]] std::string missing() const;
  // Embeds some texts; true when all are done. NeedBytes for a row that is not held.
  [[nodiscard]] Result<bool> step();

  [[nodiscard]] size_t done_texts() const { return done_texts_; }
  [[nodiscard]] uint32_t dim() const { return static_cast<uint32_t>(vectors_->dim()); }
  // All rows, one after another; zeros for a text without a word that has a vector.
  [[nodiscard]] std::span<const float> result() const { return rows_.as<float>(); }
  [[nodiscard]] std::span<const uint32_t> row_counts() const { return row_counts_; }

 private:
  SentenceJob(std::shared_ptr<infer::WordVectors> vectors, const infer::SentenceOptions& options)
      : vectors_(std::move(vectors)), encoder_(*vectors_, options) {}

  [[nodiscard]] std::span<const std::string> next_texts() const;

  std::shared_ptr<infer::WordVectors> vectors_;
  infer::SentenceEncoder encoder_;
  std::vector<std::string> texts_;
  std::vector<uint32_t> row_counts_;
  size_t done_texts_ = 0;
  AlignedBuffer rows_;
};

}  // namespace ambry::api
