// Embeds texts with a sentence encoder, one batch a step. Several threads may each run jobs of the
// same model at the same time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/encoder/embed_options_json.h"
#include "api/encoder/encoder_runtime.h"
#include "api/model/text_job.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/head/pooling.h"
#include "infer/encoder/token_batches.h"

namespace ambry::api {

// `options` is the JSON of read_embed_options(); the defaults are the model's. Unsupported for a
// model that gives vectors of tokens only.
[[nodiscard]] Result<infer::EmbedOptions> embed_options(const model::EncoderConfig& config,
                                                        std::string_view options);

class EmbedJob final : public TextJob {
 public:
  // `options` as in embed_options().
  [[nodiscard]] static Result<EmbedJob> begin(std::shared_ptr<const EncoderRuntime> runtime,
                                              std::string_view options);

  // Tokenizes all texts and plans the batches. LimitExceeded with the path `texts[i]` for a text
  // that is too long, if texts must not be truncated.
  [[nodiscard]] Result<void> start() override;
  // Runs one batch. Returns true after the last one.
  [[nodiscard]] Result<bool> step() override;

  [[nodiscard]] size_t done_texts() const override { return tokens_.done_texts(); }
  // One row for each text, or one for each token if pooling is none. A token's row may have other
  // numbers than a sentence's, which dense layers make.
  [[nodiscard]] TextRows rows() const override {
    return {options_.dim, rows_.as<float>(), row_counts_};
  }

  // For jobs that run together (together.h): the tokens of a job that has started, what runs them,
  // and the rows of one text.
  [[nodiscard]] infer::TokenBatches& tokens() { return tokens_; }
  [[nodiscard]] const infer::Encoder& encoder() const { return runtime_->encoder; }
  void write_rows(uint32_t text, std::span<const float> hidden);

 private:
  EmbedJob(std::shared_ptr<const EncoderRuntime> runtime, infer::EmbedOptions options)
      : runtime_(std::move(runtime)), options_(std::move(options)) {}

  [[nodiscard]] Result<void> tokenize_all();
  [[nodiscard]] Result<void> lay_out_rows();

  std::shared_ptr<const EncoderRuntime> runtime_;
  infer::EmbedOptions options_;
  size_t n_prompt_rows_ = 0;

  infer::TokenBatches tokens_;
  std::vector<uint32_t> row_counts_;
  std::vector<size_t> first_row_;
  std::vector<float> row_;
  AlignedBuffer rows_;
};

}  // namespace ambry::api
