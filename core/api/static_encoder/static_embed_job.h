// Embeds texts by their tokens' vectors, in steps of some texts, so that the caller can report
// progress and stop in between.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/encoder/embed_options_json.h"
#include "api/model/text_job.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/static_encoder/static_encoder.h"
#include "model/static_encoder/static_config.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

// The data that all jobs of a model share.
struct StaticRuntime {
  model::StaticConfig config;
  std::unique_ptr<text::Tokenizer> tokenizer;
  infer::StaticEncoder encoder;
  std::optional<uint32_t> unknown_id;
};

class StaticEmbedJob final : public TextJob {
 public:
  // `options` is the JSON of read_embed_options(); the pooling is mean or none.
  [[nodiscard]] static Result<StaticEmbedJob> begin(std::shared_ptr<const StaticRuntime> runtime,
                                                    std::string_view options);

  [[nodiscard]] Result<void> start() override;
  // Embeds some texts. Returns true after the last one. LimitExceeded with the path `texts[i]` for
  // a text that is too long, if texts must not be truncated.
  [[nodiscard]] Result<bool> step() override;

  [[nodiscard]] size_t done_texts() const override { return row_counts_.size(); }
  // One row for each text, or one for each token if pooling is none.
  [[nodiscard]] TextRows rows() const override {
    return {options_.dim, rows_.as<float>().first(n_rows_ * options_.dim), row_counts_};
  }

 private:
  StaticEmbedJob(std::shared_ptr<const StaticRuntime> runtime, infer::EmbedOptions options)
      : runtime_(std::move(runtime)), options_(std::move(options)) {}

  [[nodiscard]] bool of_tokens() const { return options_.pooling == infer::Pooling::None; }
  // The tokens of a text that count, in ids_.
  [[nodiscard]] Result<void> tokenize(size_t text);
  [[nodiscard]] Result<void> make_room(size_t n_rows);
  void add_row(std::span<const uint32_t> ids);

  std::shared_ptr<const StaticRuntime> runtime_;
  infer::EmbedOptions options_;
  std::vector<uint32_t> row_counts_;  // of the texts that are done
  AlignedBuffer rows_;
  size_t n_rows_ = 0;
  // The working memory of a text.
  std::string prompted_;
  std::vector<uint32_t> ids_;
  std::vector<float> row_;
};

}  // namespace ambry::api
