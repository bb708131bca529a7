// Embeds texts in steps of one batch, so that the caller can report progress and stop in between.
// Call add() for each text, start(), then step() until it returns true; rows come in the order of
// add(). Several threads may each run jobs of the same model at the same time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/encoder/embed_options_json.h"
#include "api/encoder/encoder_tokenizer.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_builder.h"
#include "infer/encoder/head/pooling.h"
#include "infer/encoder/token_batches.h"
#include "model/encoder/encoder_config.h"

namespace ambry::api {

// The data that all jobs of a model share.
struct EncoderRuntime {
  model::EncoderConfig config;
  Tokenizer tokenizer;
  infer::Encoder encoder;
};

// `options` is the JSON of read_embed_options(); the defaults are the model's. Unsupported for a
// model with late interaction.
[[nodiscard]] Result<infer::EmbedOptions> embed_options(const model::EncoderConfig& config,
                                                        std::string_view options);

class EmbedJob {
 public:
  // `options` as in embed_options().
  [[nodiscard]] static Result<EmbedJob> begin(std::shared_ptr<const EncoderRuntime> runtime,
                                              std::string_view options);

  void add(std::string_view text) { texts_.emplace_back(text); }
  // Tokenizes all texts and plans the batches. LimitExceeded with the path `texts[i]` for a text
  // that is too long, if texts must not be truncated.
  [[nodiscard]] Result<void> start();
  // Runs one batch. Returns true after the last one.
  [[nodiscard]] Result<bool> step();

  [[nodiscard]] size_t done_texts() const { return tokens_.done_texts(); }
  // Values in a row. A token's row may have others than a sentence's, which dense layers make.
  [[nodiscard]] uint32_t dim() const { return options_.dim; }
  // All rows, one after another: one row for each text, or one for each token if pooling is none.
  [[nodiscard]] std::span<const float> result() const { return rows_.as<float>(); }
  [[nodiscard]] std::span<const uint32_t> row_counts() const { return row_counts_; }

 private:
  EmbedJob(std::shared_ptr<const EncoderRuntime> runtime, infer::EmbedOptions options)
      : runtime_(std::move(runtime)), options_(std::move(options)) {}

  [[nodiscard]] Result<void> tokenize_all();
  [[nodiscard]] Result<void> lay_out_rows();
  void write_rows(uint32_t text, std::span<const float> hidden);

  std::shared_ptr<const EncoderRuntime> runtime_;
  infer::EmbedOptions options_;
  std::vector<std::string> texts_;
  size_t n_prompt_rows_ = 0;

  infer::TokenBatches tokens_;
  std::vector<uint32_t> row_counts_;
  std::vector<size_t> first_row_;
  std::vector<float> row_;
  AlignedBuffer rows_;
};

}  // namespace ambry::api
