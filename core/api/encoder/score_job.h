// Scores texts and pairs of texts with an encoder's classification head: the logits of its labels.
// Call add() for each text and add_pair() for each pair. The encoder runs one batch a step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/encoder/encoder_runtime.h"
#include "api/model/text_job.h"
#include "base/result.h"
#include "infer/encoder/token_batches.h"
#include "text/unicode/encoding.h"

namespace ambry::api {

class ScoreJob final : public TextJob {
 public:
  // `options` is JSON {truncate: end | error, list}, both optional. `list` is what errors call the
  // texts; `texts` if absent. Unsupported for an encoder without a head.
  [[nodiscard]] static Result<ScoreJob> begin(std::shared_ptr<const EncoderRuntime> runtime,
                                              std::string_view options);

  // Tokenizes all texts and plans the batches. Of a pair that is too long the longer text is cut
  // first, as Hugging Face does. LimitExceeded with the path `texts[i]` if texts must not be cut.
  [[nodiscard]] Result<void> start() override;
  // Runs one batch. Returns true after the last one. BadValue with the path `texts[i]` for logits
  // that are no numbers.
  [[nodiscard]] Result<bool> step() override;

  [[nodiscard]] size_t done_texts() const override { return tokens_.done_texts(); }
  // The logits of each text or pair: a number for each label.
  [[nodiscard]] TextRows rows() const override { return {n_labels_, logits_, {}}; }

 private:
  ScoreJob(std::shared_ptr<const EncoderRuntime> runtime, std::string list, bool refuse_long);

  [[nodiscard]] Result<text::Encoding> encode(size_t text, uint32_t longest) const;
  [[nodiscard]] Result<void> tokenize_all();
  // `hidden` holds the hidden states of the text's tokens.
  [[nodiscard]] Result<void> write_logits(uint32_t text, std::span<const float> hidden);

  std::shared_ptr<const EncoderRuntime> runtime_;
  std::string list_;
  bool refuse_long_;
  uint32_t n_labels_;

  infer::TokenBatches tokens_;
  std::vector<float> logits_;
};

}  // namespace ambry::api
