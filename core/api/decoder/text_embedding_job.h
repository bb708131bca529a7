// Embeds texts with a decoder language model, with options and reports as JSON. Call add() for each
// text, start(), then step() until it reports that it is done.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "generate/embedding/text_embedding.h"
#include "generate/run/generator.h"

namespace ambry::api {

class TextEmbeddingJob {
 public:
  // `options` is the JSON of read_embed_options(); the defaults are generate::embed_defaults().
  // Unsupported without a tokenizer.
  [[nodiscard]] static Result<TextEmbeddingJob> begin(
      std::shared_ptr<generate::Generator> generator, std::string_view options);

  // As in generate::TextEmbedding.
  void add(std::string_view text) { embedding_.add(text); }
  [[nodiscard]] Result<void> start() { return embedding_.start(); }
  // JSON of progress_document(), which counts texts here.
  [[nodiscard]] Result<std::string> step();

  [[nodiscard]] uint32_t dim() const { return embedding_.dim(); }
  [[nodiscard]] std::span<const float> result() const { return embedding_.result(); }
  [[nodiscard]] std::span<const uint32_t> row_counts() const { return embedding_.row_counts(); }

 private:
  explicit TextEmbeddingJob(generate::TextEmbedding embedding) : embedding_(std::move(embedding)) {}

  generate::TextEmbedding embedding_;
};

}  // namespace ambry::api
