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

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"
#include "infer/encoder/head/embed_options.h"

namespace ambry::generate {

// What a model says of its embeddings (model::EmbeddingConfig). One that says nothing needs a
// pooling, gives vectors of length 1 and has no dense layers. Valid as long as the generator.
// Unsupported without a tokenizer.
[[nodiscard]] Result<infer::EmbedDefaults> embed_defaults(const Generator& generator);

// The most tokens of a text.
[[nodiscard]] uint64_t longest_text(const infer::Decoder& decoder);

class TextEmbedding {
 public:
  // Unsupported without a tokenizer.
  [[nodiscard]] static Result<TextEmbedding> begin(std::shared_ptr<Generator> generator,
                                                   infer::EmbedOptions options);

  void add(std::string_view text) { texts_.emplace_back(text); }
  // Tokenizes all texts. LimitExceeded with the path `texts[i]` for a text that is too long, if
  // texts must not be truncated; BadValue for one without tokens.
  [[nodiscard]] Result<void> start();
  // Counts texts.
  [[nodiscard]] Result<PassProgress> step();

  // Values in a row.
  [[nodiscard]] uint32_t dim() const { return options_.dim; }
  // All rows, one after another: one row for each text, or one for each token if pooling is none.
  [[nodiscard]] std::span<const float> result() const { return rows_.as<float>(); }
  [[nodiscard]] std::span<const uint32_t> row_counts() const { return row_counts_; }

 private:
  TextEmbedding(std::shared_ptr<Generator> generator, infer::EmbedOptions options)
      : run_(std::move(generator)), options_(std::move(options)) {}

  [[nodiscard]] const infer::Decoder& decoder() const { return run_.generator().decoder; }
  [[nodiscard]] Result<void> tokenize(size_t text);
  [[nodiscard]] size_t prompt_rows() const;
  [[nodiscard]] Result<void> lay_out_rows();
  [[nodiscard]] std::span<const uint32_t> ids_of(size_t text) const;
  [[nodiscard]] Result<infer::PassStep> work();
  [[nodiscard]] Result<void> begin_text();
  void write_rows();

  DecoderRun run_;
  infer::EmbedOptions options_;
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

}  // namespace ambry::generate
