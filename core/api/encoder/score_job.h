// Scores texts and pairs of texts with an encoder's classification head: the logits of its labels.
// Call add() for each text and add_pair() for each pair, start(), then step() until it returns
// true. The encoder runs one batch a step, so that the caller can report progress and stop in
// between.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/encoder/embed_job.h"
#include "base/result.h"
#include "infer/encoder/token_batches.h"
#include "text/unicode/encoding.h"

namespace ambry::api {

class ScoreJob {
 public:
  // `options` is JSON {truncate: end | error, list}, both optional. `list` is what errors call the
  // texts; `texts` if absent. Unsupported for an encoder without a head.
  [[nodiscard]] static Result<ScoreJob> begin(std::shared_ptr<const EncoderRuntime> runtime,
                                              std::string_view options);

  void add(std::string_view text) { inputs_.push_back({std::string(text), std::nullopt}); }
  void add_pair(std::string_view first, std::string_view second) {
    inputs_.push_back({std::string(first), std::string(second)});
  }
  // Tokenizes all texts and plans the batches. Of a pair that is too long the longer text is cut
  // first, as Hugging Face does. LimitExceeded with the path `texts[i]` if texts must not be cut.
  [[nodiscard]] Result<void> start();
  // Runs one batch. Returns true after the last one. BadValue with the path `texts[i]` for logits
  // that are no numbers.
  [[nodiscard]] Result<bool> step();

  [[nodiscard]] size_t done_texts() const { return tokens_.done_texts(); }
  [[nodiscard]] uint32_t n_labels() const { return n_labels_; }
  // n_labels() for each text or pair, in the order in which they were added.
  [[nodiscard]] std::span<const float> logits() const { return logits_; }

 private:
  struct Input {
    std::string first;
    std::optional<std::string> second;
  };

  ScoreJob(std::shared_ptr<const EncoderRuntime> runtime, std::string list, bool refuse_long);

  [[nodiscard]] Result<text::Encoding> encode(const Input& input, uint32_t longest) const;
  [[nodiscard]] Result<void> tokenize_all();
  // `hidden` holds the hidden states of the text's tokens.
  [[nodiscard]] Result<void> write_logits(uint32_t text, std::span<const float> hidden);

  std::shared_ptr<const EncoderRuntime> runtime_;
  std::string list_;
  bool refuse_long_;
  uint32_t n_labels_;
  std::vector<Input> inputs_;

  infer::TokenBatches tokens_;
  std::vector<float> logits_;
};

}  // namespace ambry::api
