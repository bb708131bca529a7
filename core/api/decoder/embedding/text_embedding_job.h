// Embeds texts with a decoder language model, one text after another, in steps that are short
// enough to stop in between. Call add() for each text, start(), then step() until it reports that
// it is done; rows come in the order of add(). A text's row does not depend on the other texts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/encoder/embed_options.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"

namespace ambry::api {

class TextEmbeddingJob {
 public:
  // `options` is the JSON of EmbedOptions. The defaults are the model's (model::EmbeddingConfig); a
  // model that says nothing of embeddings needs the option `pooling`, gives vectors of length 1 and
  // has no dense layers. Unsupported without a tokenizer.
  [[nodiscard]] static Result<TextEmbeddingJob> begin(std::shared_ptr<generate::Generator> runtime,
                                                      std::string_view options);

  void add(std::string_view text) { texts_.emplace_back(text); }
  // Tokenizes all texts. LimitExceeded with the path `texts[i]` for a text that is too long, if
  // texts must not be truncated; BadValue for one without tokens.
  [[nodiscard]] Result<void> start();
  // JSON of progress_document(), which counts texts here.
  [[nodiscard]] Result<std::string> step();

  // Values in a row.
  [[nodiscard]] uint32_t dim() const { return options_.dim; }
  // All rows, one after another: one row for each text, or one for each token if pooling is none.
  [[nodiscard]] std::span<const float> result() const { return rows_.as<float>(); }
  [[nodiscard]] std::span<const uint32_t> row_counts() const { return row_counts_; }

 private:
  TextEmbeddingJob(std::shared_ptr<generate::Generator> runtime, EmbedOptions options)
      : run_(std::move(runtime)), options_(std::move(options)) {}

  [[nodiscard]] const infer::Decoder& decoder() const { return run_.generator().decoder; }
  [[nodiscard]] Result<void> tokenize(size_t text);
  [[nodiscard]] size_t prompt_rows() const;
  [[nodiscard]] Result<void> lay_out_rows();
  [[nodiscard]] std::span<const uint32_t> ids_of(size_t text) const;
  [[nodiscard]] Result<infer::PassStep> work();
  [[nodiscard]] Result<void> begin_text();
  void write_rows();

  generate::DecoderRun run_;
  EmbedOptions options_;
  std::vector<std::string> texts_;
  size_t n_prompt_rows_ = 0;     // first tokens that the pooling leaves out
  std::vector<uint32_t> ids_;    // of all texts, one after another
  std::vector<size_t> id_ends_;  // end of each text's ids
  std::vector<uint32_t> row_counts_;
  size_t done_texts_ = 0;
  size_t done_rows_ = 0;
  bool in_text_ = false;  // whether the pass of the next text has begun
  std::vector<float> row_;
  AlignedBuffer rows_;
};

}  // namespace ambry::api
