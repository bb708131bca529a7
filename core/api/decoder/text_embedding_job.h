// Embeds texts with a decoder language model, with options as JSON.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "api/model/text_job.h"
#include "base/result.h"
#include "generate/embedding/text_embedding.h"
#include "generate/run/generator.h"

namespace ambry::api {

class TextEmbeddingJob final : public TextJob {
 public:
  // `options` is the JSON of read_embed_options(); the defaults are generate::embed_defaults().
  // Unsupported without a tokenizer.
  [[nodiscard]] static Result<TextEmbeddingJob> begin(
      std::shared_ptr<generate::Generator> generator, std::string_view options);

  void add(std::string_view text) override { embedding_.add(text); }
  // As in generate::TextEmbedding.
  [[nodiscard]] Result<void> start() override { return embedding_.start(); }
  [[nodiscard]] Result<bool> step() override;

  [[nodiscard]] size_t done_texts() const override { return static_cast<size_t>(last_.loaded); }
  [[nodiscard]] std::optional<size_t> part() const override;
  [[nodiscard]] TextRows rows() const override {
    return {embedding_.dim(), embedding_.result(), embedding_.row_counts()};
  }

 private:
  explicit TextEmbeddingJob(generate::TextEmbedding embedding) : embedding_(std::move(embedding)) {}

  generate::TextEmbedding embedding_;
  generate::PassProgress last_;  // counts texts
};

}  // namespace ambry::api
