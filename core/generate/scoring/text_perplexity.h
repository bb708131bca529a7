// Computes the perplexity of a text: e to the mean of -log p of each token given those before it. A
// text longer than the window is scored in overlapping windows. Each window but the first scores
// only the tokens at its end, so that each of them has the rest of the window before it. Call
// step() until it reports that it is done.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"
#include "generate/run/prompt.h"
#include "infer/decoder/token_probability.h"

namespace ambry::generate {

struct PerplexityOptions {
  std::optional<uint64_t> window;  // the tokens in a window; without it, as many as the context has
  std::optional<uint64_t> stride;  // between windows; without it, half of a window
};

class TextPerplexity {
 public:
  // Errors of prompt_ids(). BadValue with the path `text` for fewer than two tokens, and with
  // `options.…` for an option out of range. Each window starts with the token that starts the text,
  // if the tokenizer adds one.
  [[nodiscard]] static Result<TextPerplexity> begin(std::shared_ptr<Generator> generator,
                                                    const Prompt& text,
                                                    const PerplexityOptions& options);

  // Counts the tokens to score.
  [[nodiscard]] Result<PassProgress> step();
  // The tokens that are scored so far.
  [[nodiscard]] const infer::Perplexity& sum() const { return sum_; }
  [[nodiscard]] size_t n_windows() const { return n_windows_; }

 private:
  struct Windows {
    size_t size = 0;
    size_t stride = 0;
  };

  TextPerplexity(std::shared_ptr<Generator> generator, std::vector<uint32_t> ids, Windows windows)
      : run_(std::move(generator)), ids_(std::move(ids)), windows_(windows) {}

  [[nodiscard]] Result<void> begin_window();
  [[nodiscard]] Result<void> begin_pass();
  [[nodiscard]] Result<void> finish_pass();

  DecoderRun run_;
  std::vector<uint32_t> ids_;
  Windows windows_;
  infer::Perplexity sum_;
  size_t n_windows_ = 0;
  std::vector<uint32_t> window_;  // the window's tokens
  size_t window_end_ = 0;         // in ids_; tokens before it are scored when the window is done
  size_t first_judged_ = 0;       // in window_
  size_t fed_ = 0;                // tokens of window_ that were fed
  size_t feeding_ = 0;            // tokens in the current pass
  bool done_ = false;
};

}  // namespace ambry::generate
