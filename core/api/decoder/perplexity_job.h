// How surprising a text is to a decoder: e to the mean of -log p of each token given those before
// it. A text longer than the window is judged in windows that overlap: each but the first judges
// only the tokens at its end, which have at least the others of the window before them. step()
// until it says that it is done.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/decoder/decoder_run.h"
#include "api/decoder/generator_runtime.h"
#include "base/result.h"
#include "infer/decoder/token_probability.h"

namespace ambry::api {

class PerplexityJob {
 public:
  // `options` is JSON {window, stride}, both optional: tokens looked at together, the context when
  // absent, and tokens by which the window moves on, half of it when absent. BadValue with the path
  // `text` for one without two tokens. A window after the first begins with the token that begins
  // the text, where the tokenizer puts one.
  [[nodiscard]] static Result<PerplexityJob> begin(std::shared_ptr<GeneratorRuntime> runtime,
                                                   std::string_view text, std::string_view options);

  // JSON of PassReport, over the tokens to judge.
  [[nodiscard]] Result<std::string> step();
  // JSON {perplexity, crossEntropy, tokens, windows}.
  [[nodiscard]] std::string report() const;

 private:
  struct Windows {
    size_t size = 0;
    size_t stride = 0;
  };

  PerplexityJob(std::shared_ptr<GeneratorRuntime> runtime, std::vector<uint32_t> ids,
                Windows windows)
      : run_(std::move(runtime)), ids_(std::move(ids)), windows_(windows) {}

  [[nodiscard]] Result<void> begin_window();
  [[nodiscard]] Result<void> begin_pass();
  [[nodiscard]] Result<void> finish_pass();

  DecoderRun run_;
  std::vector<uint32_t> ids_;
  Windows windows_;
  infer::Perplexity sum_;
  size_t n_windows_ = 0;
  std::vector<uint32_t> window_;  // its tokens
  size_t window_end_ = 0;         // in ids_; tokens before it are judged when the window is done
  size_t first_judged_ = 0;       // in window_
  size_t fed_ = 0;                // of window_
  size_t feeding_ = 0;            // tokens of the pass under way
  bool done_ = false;
};

}  // namespace ambry::api
