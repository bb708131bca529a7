// Runs the head of an encoder that every token passes (model/encoder/token_head.h): of texts,
// and of pairs of a question and a context. What is too long is read in windows that overlap. Call
// add() for each text and add_pair() for each pair. The encoder runs one batch a step.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/encoder/encoder_model.h"
#include "api/encoder/encoder_runtime.h"
#include "api/model/text_job.h"
#include "base/result.h"
#include "infer/encoder/token_batches.h"
#include "text/tokenizer/token_template.h"
#include "text/unicode/encoding.h"

namespace ambry::api {

// What is known of a token of a window.
struct WindowToken {
  enum Flag : uint32_t {
    Special = 1,  // the tokenizer added it
    Second = 2,   // of the second text of a pair
    Subword = 4,  // goes on with the word of the token before
    Mask = 8      // stands for a missing word
  };
  uint32_t id = 0;
  uint32_t begin = 0;  // in its own text, in UTF-16 units
  uint32_t end = 0;
  uint32_t flags = 0;
};

class TokenRowsJob final : public TextJob {
 public:
  // `options` is JSON {list, overlap, window, rows: all | masks}, all optional. `list` is what
  // errors call the inputs, `texts` if absent. A window has `window` tokens, special ones included:
  // all that the model takes if it is absent. Two windows have `overlap` tokens in common, a fourth
  // of those of the text if it is absent. With `masks` only tokens that stand for a missing word
  // get a row. Unsupported for an encoder without a head for tokens. LimitExceeded for a window
  // that is larger than the model takes.
  [[nodiscard]] static Result<TokenRowsJob> begin(const EncoderModel& model,
                                                  std::string_view options);

  // Tokenizes all texts and plans the batches. BadValue at `options.overlap` for an overlap that is
  // not smaller than the text of a window. LimitExceeded with the path `texts[i]` for a first text
  // that leaves no room in a window for the second one.
  [[nodiscard]] Result<void> start() override;
  // Runs one batch. Returns true after the last one. BadValue with the path `texts[i]` for numbers
  // that are not finite.
  [[nodiscard]] Result<bool> step() override;

  // A text counts as done when the share of windows is.
  [[nodiscard]] size_t done_texts() const override;
  // The rows of each window: one for each token, or for each that stands for a missing word.
  [[nodiscard]] TextRows rows() const override {
    return {n_outputs_, rows_.as<float>(), row_counts_};
  }

  // The windows, in the order of the inputs: the number of the input of each, and how many tokens
  // each has.
  [[nodiscard]] std::span<const uint32_t> window_inputs() const { return window_inputs_; }
  [[nodiscard]] std::span<const uint32_t> window_lengths() const { return window_lengths_; }
  // The tokens of all windows.
  [[nodiscard]] std::span<const WindowToken> window_tokens() const { return window_tokens_; }

 private:
  struct Settings {
    std::string list;
    std::optional<uint64_t> overlap;
    size_t window = 0;
    bool masks_only = false;
  };

  TokenRowsJob(const EncoderModel& model, Settings settings);

  [[nodiscard]] Result<void> cut(size_t input);
  [[nodiscard]] Result<size_t> overlap_of(size_t room) const;
  [[nodiscard]] Result<const text::TokenTemplate*> template_for(bool pair);
  void add_window(size_t input, const text::Encoding& encoding,
                  const text::TokenTemplate::Places& places);
  [[nodiscard]] uint32_t flags_of(uint32_t id, const text::TextSpan& span,
                                  std::string_view text) const;
  [[nodiscard]] Result<void> write_rows(uint32_t window, std::span<const float> hidden);

  std::shared_ptr<const EncoderRuntime> runtime_;
  Settings settings_;
  uint32_t n_outputs_;
  std::optional<uint32_t> unknown_;  // the token for unknown words
  bool is_word_piece_;
  std::array<std::optional<text::TokenTemplate>, 2> templates_;  // of a text, of a pair

  infer::TokenBatches tokens_;
  std::vector<uint32_t> window_inputs_;
  std::vector<uint32_t> window_lengths_;
  std::vector<WindowToken> window_tokens_;
  std::vector<size_t> first_token_;  // of each window
  std::vector<uint32_t> row_counts_;
  std::vector<size_t> first_row_;
  AlignedBuffer rows_;
};

}  // namespace ambry::api
