// Makes sentence vectors from word vectors.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/model/text_job.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/words/sentences.h"
#include "infer/words/word_vectors.h"

namespace ambry::api {

class SentenceJob final : public TextJob {
 public:
  // `options` is JSON {pooling: mean | sif, normalize: true}, both optional. BadValue with the path
  // `options.…` for other values, and for `prompt` and `dim`, which only encoders have.
  [[nodiscard]] static Result<SentenceJob> begin(std::shared_ptr<infer::WordVectors> vectors,
                                                 std::string_view options);

  [[nodiscard]] Result<void> start() override;
  // Range mode: JSON [[offset, size]] of the missing bytes for the next step. Fetch and supply()
  // them before step().
  [[nodiscard]] std::string missing() const;
  // Embeds some texts. Returns true when all are done. NeedBytes for a missing row.
  [[nodiscard]] Result<bool> step() override;

  [[nodiscard]] size_t done_texts() const override { return done_texts_; }
  // One row for each text. A text without any word that has a vector gets zeros.
  [[nodiscard]] TextRows rows() const override {
    return {static_cast<uint32_t>(vectors_->dim()), rows_.as<float>(), row_counts_};
  }

 private:
  SentenceJob(std::shared_ptr<infer::WordVectors> vectors, const infer::SentenceOptions& options)
      : vectors_(std::move(vectors)), encoder_(*vectors_, options) {}

  [[nodiscard]] std::span<const std::string> next_texts() const;

  std::shared_ptr<infer::WordVectors> vectors_;
  infer::SentenceEncoder encoder_;
  std::vector<uint32_t> row_counts_;
  size_t done_texts_ = 0;
  AlignedBuffer rows_;
};

}  // namespace ambry::api
