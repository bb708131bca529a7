// Runs a decoder over one sequence, in steps that are short enough to stop in between.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "api/decoder/generator_runtime.h"
#include "base/result.h"
#include "infer/decoder/decoder_state.h"
#include "infer/decoder/forward_pass.h"
#include "io/json/json.h"

namespace ambry::api {

// The most tokens in a pass when each needs a row of logits, which is large for a big vocabulary.
inline constexpr size_t kRowsAtOnce = 64;

class DecoderRun {
 public:
  explicit DecoderRun(std::shared_ptr<GeneratorRuntime> runtime);
  // Goes on from the tokens in `state`.
  DecoderRun(std::shared_ptr<GeneratorRuntime> runtime, infer::DecoderState state);

  // See ForwardPass::observe().
  void observe(infer::ActivationSums& sums) { pass_.observe(sums); }
  // See ForwardPass::begin().
  [[nodiscard]] Result<void> begin(std::span<const uint32_t> ids, infer::Logits wanted);
  // Runs part of the pass, until it is done, a part is missing, or a few milliseconds have passed.
  [[nodiscard]] Result<infer::PassStep> work();
  // The tokens of this pass that are done, for progress.
  [[nodiscard]] uint64_t done_tokens() const;
  // n_vocab() values for the i-th position that was asked for.
  [[nodiscard]] std::span<const float> logits(size_t i = 0) const { return pass_.logits(i); }
  [[nodiscard]] const infer::DecoderState& state() const { return *state_; }
  // Begins a new sequence.
  void reset() { state_->reset(); }

  [[nodiscard]] const GeneratorRuntime& runtime() const { return *runtime_; }

 private:
  std::shared_ptr<GeneratorRuntime> runtime_;
  // A pointer, because the pass still refers to it after a move.
  std::unique_ptr<infer::DecoderState> state_;
  infer::ForwardPass pass_;
  uint64_t n_tokens_ = 0;  // in this pass
};

// JSON of PassProgress (wasm/types.d.mts): {part, done, loaded, total}.
struct PassReport {
  infer::PassStep step;
  bool done = false;
  uint64_t loaded = 0;  // tokens
  uint64_t total = 0;

  [[nodiscard]] io::Json document() const;
};

}  // namespace ambry::api
