// Makes the token vectors of texts with a model of late interaction (model/encoder/
// late_interaction.h): for each text a row of length 1 for each of its tokens. The encoder runs one
// batch a step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/encoder/embed_options_json.h"
#include "api/encoder/encoder_runtime.h"
#include "api/model/text_job.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/token_batches.h"

namespace ambry::api {

class TokenJob final : public TextJob {
 public:
  // `options` is JSON {as: document | query, list, first, truncate, prompt, promptName,
  // instruction}, all optional; the last four as in read_embed_options(). `list` is what errors
  // call the texts, `texts` if absent, and `first` the number of the first one there. Unsupported
  // for an encoder without late interaction.
  [[nodiscard]] static Result<TokenJob> begin(std::shared_ptr<const EncoderRuntime> runtime,
                                              std::string_view options);

  // Tokenizes all texts and plans the batches. LimitExceeded with the path `texts[i]` for a text
  // that is too long, if texts must not be truncated. BadValue for a text all of whose tokens are
  // left out.
  [[nodiscard]] Result<void> start() override;
  // Runs one batch. Returns true after the last one. BadValue with the path `texts[i]` for vectors
  // that are no numbers.
  [[nodiscard]] Result<bool> step() override;

  [[nodiscard]] size_t done_texts() const override { return tokens_.done_texts(); }
  // One row for each token that is kept.
  [[nodiscard]] TextRows rows() const override {
    return {runtime_->encoder.embedding_size(), rows_.as<float>(), row_counts_};
  }

  // For jobs that run together (together.h), instead of start() and step(): makes
  // room for the rows of these texts, and writes those of one of them.
  [[nodiscard]] Result<void> lay_out_rows(const infer::TokenBatches& texts);
  [[nodiscard]] Result<void> write_rows(uint32_t text, std::span<const uint32_t> ids,
                                        std::span<const float> hidden);

  // Makes the scores of the texts by MaxSim for the rows of `query`. Both jobs must be done, and of
  // the same model. LimitExceeded when the heap is full.
  [[nodiscard]] Result<void> score(const TokenJob& query);
  [[nodiscard]] std::span<const float> scores() const { return scores_; }

 private:
  struct Form {
    bool of_query = false;
    std::string list;
    uint64_t first = 0;  // the number of the first text there
    std::string prompt;
    bool refuse_long = false;
  };

  TokenJob(std::shared_ptr<const EncoderRuntime> runtime, Form form)
      : runtime_(std::move(runtime)), form_(std::move(form)) {}

  [[nodiscard]] const model::LateInteraction& late() const { return *runtime_->config.late; }
  // Whether the vector of the text's token `i` is part of the result.
  [[nodiscard]] bool keeps(std::span<const uint32_t> ids, size_t i) const;
  [[nodiscard]] Result<void> tokenize(size_t text);

  std::shared_ptr<const EncoderRuntime> runtime_;
  Form form_;

  infer::TokenBatches tokens_;
  std::vector<uint32_t> row_counts_;
  std::vector<size_t> first_row_;
  std::vector<float> kept_;  // the hidden states of a text, then its vectors
  AlignedBuffer rows_;
  std::vector<float> scores_;
};

}  // namespace ambry::api
