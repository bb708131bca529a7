// Runs a decoder over texts to see what its layers are given (model/decoder/decoder_activations.h).
// Texts longer than a window pass in several, one after another. step() until it says that it is
// done.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/decoder/decoder_run.h"
#include "api/decoder/generator_runtime.h"
#include "base/result.h"
#include "infer/decoder/activation_sums.h"
#include "model/decoder/decoder_activations.h"

namespace ambry::api {

class ActivationJob {
 public:
  // `options` is JSON {texts, window}: what to run, and tokens at most that pass together, as many
  // as the context holds, up to 512, when absent. A window after a text's first begins with the
  // token that begins the text, where the tokenizer puts one. BadValue with the path `calibration`
  // for nothing but white space, Unsupported for a model without a tokenizer.
  [[nodiscard]] static Result<ActivationJob> begin(const std::shared_ptr<GeneratorRuntime>& runtime,
                                                   std::string_view options);

  // JSON of PassReport.
  [[nodiscard]] Result<std::string> step();
  // Of what has passed until now.
  [[nodiscard]] Result<model::DecoderActivations> activations() const { return sums_->means(); }

 private:
  using Window = std::vector<uint32_t>;

  ActivationJob(const std::shared_ptr<GeneratorRuntime>& runtime, std::vector<Window> windows);

  [[nodiscard]] Result<void> begin_window();

  std::unique_ptr<infer::ActivationSums> sums_;  // where the pass looks, also after a move
  DecoderRun run_;
  std::vector<Window> windows_;
  size_t window_ = 0;    // that passes
  uint64_t passed_ = 0;  // tokens
  uint64_t total_ = 0;
};

}  // namespace ambry::api
