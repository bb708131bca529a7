// Passes of one sequence through a decoder, in portions of work that are short enough to stop in
// between.
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

// Tokens that pass together where each has a row of logits, of which a big vocabulary makes much.
inline constexpr size_t kRowsAtOnce = 64;

class DecoderRun {
 public:
  explicit DecoderRun(std::shared_ptr<GeneratorRuntime> runtime);

  // As ForwardPass::observe().
  void observe(infer::ActivationSums& sums) { pass_.observe(sums); }
  // As ForwardPass::begin().
  [[nodiscard]] Result<void> begin(std::span<const uint32_t> ids, infer::Logits wanted);
  // Some steps of the pass, until it is done or lacks a part, or a moment is over.
  [[nodiscard]] Result<infer::PassStep> work();
  // Of the tokens of this pass, for progress.
  [[nodiscard]] uint64_t done_tokens() const;
  // n_vocab() numbers for the i-th position that was asked for.
  [[nodiscard]] std::span<const float> logits(size_t i = 0) const { return pass_.logits(i); }
  // Begins a new sequence.
  void reset() { state_->reset(); }

  [[nodiscard]] const GeneratorRuntime& runtime() const { return *runtime_; }

 private:
  std::shared_ptr<GeneratorRuntime> runtime_;
  std::unique_ptr<infer::DecoderState> state_;  // where the pass looks, also after a move
  infer::ForwardPass pass_;
  uint64_t n_tokens_ = 0;  // of this pass
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
