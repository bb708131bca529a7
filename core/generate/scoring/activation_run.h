// Runs a decoder over texts to collect statistics of its activations
// (model/decoder/decoder_activations.h). A text longer than a window is split into several. Call
// step() until it reports that it is done.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"
#include "infer/decoder/steps/activation_sums.h"
#include "model/decoder/decoder_activations.h"

namespace ambry::generate {

class ActivationRun {
 public:
  // `window` is the most tokens in a window; without it, as many as the context holds, up to 512.
  // Each window starts with the token that starts the text, if the tokenizer adds one. BadValue
  // with the path `calibration` when there is only white space. Unsupported for a model without a
  // tokenizer.
  [[nodiscard]] static Result<ActivationRun> begin(const std::shared_ptr<Generator>& generator,
                                                   std::span<const std::string> texts,
                                                   std::optional<uint64_t> window);

  [[nodiscard]] Result<PassProgress> step();
  // The statistics so far.
  [[nodiscard]] Result<model::DecoderActivations> activations() const { return sums_->means(); }

 private:
  using Window = std::vector<uint32_t>;

  ActivationRun(const std::shared_ptr<Generator>& generator, std::vector<Window> windows);

  [[nodiscard]] Result<void> begin_window();

  // A pointer, because the pass still refers to it after a move.
  std::unique_ptr<infer::ActivationSums> sums_;
  DecoderRun run_;
  std::vector<Window> windows_;
  size_t window_ = 0;    // the current window
  uint64_t passed_ = 0;  // tokens that are done
  uint64_t total_ = 0;
};

}  // namespace ambry::generate
