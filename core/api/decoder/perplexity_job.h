// Computes the perplexity of a text: e to the mean of -log p of each token given those before it. A
// text longer than the window is scored in overlapping windows. Each window but the first scores
// only the tokens at its end, so that each of them has the rest of the window before it. Call
// step() until it reports that it is done.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"
#include "infer/decoder/token_probability.h"

namespace ambry::api {

class PerplexityJob {
 public:
  // `options` is JSON {window, stride}, both optional: the tokens in a window, by default the
  // context, and the distance between windows, by default half of the window. BadValue with the
  // path `text` for fewer than two tokens. Each window starts with the token that starts the text,
  // if the tokenizer adds one.
  [[nodiscard]] static Result<PerplexityJob> begin(std::shared_ptr<generate::Generator> runtime,
                                                   std::string_view text, std::string_view options);

  // JSON of progress_document() over the tokens to score.
  [[nodiscard]] Result<std::string> step();
  // JSON {perplexity, crossEntropy, tokens, windows}.
  [[nodiscard]] std::string report() const;

 private:
  struct Windows {
    size_t size = 0;
    size_t stride = 0;
  };

  PerplexityJob(std::shared_ptr<generate::Generator> runtime, std::vector<uint32_t> ids,
                Windows windows)
      : run_(std::move(runtime)), ids_(std::move(ids)), windows_(windows) {}

  [[nodiscard]] Result<void> begin_window();
  [[nodiscard]] Result<void> begin_pass();
  [[nodiscard]] Result<void> finish_pass();

  generate::DecoderRun run_;
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

}  // namespace ambry::api
