// Embeds texts in steps of one batch, so that the caller can report progress and stop in between.
// Call add() for each text, start(), then step() until it returns true; rows come in the order of
// add(). Alternatively, after start(), call open_lanes() and then run_batch() once for each batch,
// in any order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/encoder/encoder_tokenizer.h"
#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_builder.h"
#include "infer/encoder/encoder_scratch.h"
#include "infer/encoder/pooling.h"
#include "model/encoder/encoder_config.h"

namespace ambry::api {

// The data that all jobs of a model share.
struct EncoderRuntime {
  model::EncoderConfig config;
  Tokenizer tokenizer;
  infer::Encoder encoder;
};

class EmbedJob {
 public:
  // `options` is JSON {pooling, normalize, truncate, prompt, dim}, all optional; the defaults are
  // the model's. BadValue with the path `options.…` for other values.
  [[nodiscard]] static Result<EmbedJob> begin(std::shared_ptr<EncoderRuntime> runtime,
                                              std::string_view options);

  void add(std::string_view text) { texts_.emplace_back(text); }
  // Tokenizes all texts and plans the batches. LimitExceeded with the path `texts[i]` for a text
  // that is too long, if texts must not be truncated.
  [[nodiscard]] Result<void> start();
  // Runs one batch. Returns true after the last one.
  [[nodiscard]] Result<bool> step();

  [[nodiscard]] size_t batches() const { return batches_.size(); }
  // Plans smaller batches and allocates memory for n > 0 of them at a time, including n stacks of
  // equal size. LimitExceeded when the heap is full.
  [[nodiscard]] Result<Bytes> open_lanes(size_t n);
  // Allocates nothing, so threads that share the heap may each run a lane. Returns the number of
  // texts.
  [[nodiscard]] Result<size_t> run_batch(size_t lane, size_t batch);
  // Counters that those threads share: the next batch, and the number of texts that are done.
  [[nodiscard]] int32_t* shared_counts() { return shared_counts_; }

  [[nodiscard]] size_t done_texts() const { return done_texts_; }
  // Values in a row.
  [[nodiscard]] uint32_t dim() const { return options_.dim; }
  // All rows, one after another: one row for each text, or one for each token if pooling is none.
  [[nodiscard]] std::span<const float> result() const { return rows_.as<float>(); }
  [[nodiscard]] std::span<const uint32_t> row_counts() const { return row_counts_; }

 private:
  struct Options {
    infer::Pooling pooling = infer::Pooling::Mean;
    bool normalize = true;
    bool refuse_long = false;
    uint32_t dim = 0;
    std::string prompt;
  };

  EmbedJob(std::shared_ptr<EncoderRuntime> runtime, Options options)
      : runtime_(std::move(runtime)), options_(std::move(options)) {}

  [[nodiscard]] static Result<Options> read_options(const model::EncoderConfig& config,
                                                    std::string_view text);
  [[nodiscard]] Result<void> tokenize_all();
  [[nodiscard]] Result<void> lay_out_rows();
  [[nodiscard]] std::span<const uint32_t> ids_of(uint32_t text) const;
  // The working memory of a batch.
  struct Lane {
    std::vector<infer::Sequence> sequences;
    size_t n_tokens = 0;  // in all sequences
    AlignedBuffer hidden;
    std::vector<float> row;
    infer::EncoderScratch scratch;
  };

  void plan(uint32_t max_tokens);
  // Fills the lane's sequences with those of the batch.
  void take_texts(Lane& lane, size_t batch) const;
  // The same, and allocates all memory needed to run them.
  [[nodiscard]] Result<void> prepare(Lane& lane, infer::EncoderScratch& scratch, size_t batch);
  [[nodiscard]] Result<size_t> run(Lane& lane, infer::EncoderScratch& scratch, size_t batch);
  void write_rows(uint32_t text, std::span<const float> hidden, std::span<float> row);

  std::shared_ptr<EncoderRuntime> runtime_;
  Options options_;
  std::vector<std::string> texts_;
  size_t n_prompt_rows_ = 0;

  std::vector<uint32_t> ids_;    // of all texts, one after another
  std::vector<size_t> id_ends_;  // end of each text's ids
  std::vector<uint32_t> row_counts_;
  std::vector<size_t> first_row_;
  std::vector<std::vector<uint32_t>> batches_;
  size_t next_batch_ = 0;
  size_t done_texts_ = 0;
  std::vector<Lane> lanes_ = std::vector<Lane>(1);
  int32_t shared_counts_[2] = {};
  AlignedBuffer stacks_;
  AlignedBuffer rows_;
};

}  // namespace ambry::api
