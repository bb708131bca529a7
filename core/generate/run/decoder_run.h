// Runs a decoder over sequences, in steps that are short enough to stop in between.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/result.h"
#include "generate/run/generator.h"
#include "infer/decoder/decoder_pass.h"
#include "infer/decoder/decoder_state.h"

namespace ambry::generate {

// The most tokens in a pass when each needs a row of logits, which is large for a big vocabulary.
inline constexpr size_t kRowsAtOnce = 64;

// A pass over one or several sequences.
class PassRun {
 public:
  explicit PassRun(const infer::Decoder& decoder) : decoder_(&decoder) {}

  // See ForwardPass::observe().
  void observe(infer::ActivationSums& sums) { pass_.observe(sums); }
  // See ForwardPass::stop_after().
  void stop_after(uint32_t n_layers) { pass_.stop_after(n_layers); }
  // See ForwardPass::begin().
  [[nodiscard]] Result<void> begin(std::span<const infer::SequenceRows> sequences);
  // Runs part of the pass, until it is done, a part is missing, or a few milliseconds have passed.
  [[nodiscard]] Result<infer::PassStep> work();
  // The tokens of this pass, and those that are done, for progress.
  [[nodiscard]] uint64_t n_tokens() const { return n_tokens_; }
  [[nodiscard]] uint64_t done_tokens() const;
  // n_vocab() values for the i-th position that was asked for.
  [[nodiscard]] std::span<const float> logits(size_t i = 0) const { return pass_.logits(i); }
  // See ForwardPass::hidden().
  [[nodiscard]] std::span<const float> hidden() const { return pass_.hidden(); }

 private:
  const infer::Decoder* decoder_;
  infer::ForwardPass pass_;
  uint64_t n_tokens_ = 0;
};

// A growing sequence.
class DecoderRun {
 public:
  explicit DecoderRun(std::shared_ptr<Generator> generator);

  // See ForwardPass::observe().
  void observe(infer::ActivationSums& sums) { pass_.observe(sums); }
  // See ForwardPass::stop_after(). For passes over an empty sequence, or over one of such passes.
  void stop_after(uint32_t n_layers) { pass_.stop_after(n_layers); }
  // See PassRun.
  [[nodiscard]] Result<void> begin(std::span<const uint32_t> ids, infer::Logits wanted) {
    const infer::SequenceRows rows{state_.get(), ids, wanted};
    return pass_.begin({&rows, 1});
  }
  [[nodiscard]] Result<infer::PassStep> work() { return pass_.work(); }
  [[nodiscard]] uint64_t done_tokens() const { return pass_.done_tokens(); }
  [[nodiscard]] std::span<const float> logits(size_t i = 0) const { return pass_.logits(i); }
  [[nodiscard]] std::span<const float> hidden() const { return pass_.hidden(); }
  // Begins a new sequence.
  void reset() { state_->reset(); }
  // Begins a sequence that becomes `ids`, and keeps what it has in common with the one so far.
  // Returns how many tokens that is: less than all.
  size_t reuse(std::span<const uint32_t> ids) {
    return state_->truncate(state_->reusable(generator_->decoder, ids));
  }

  [[nodiscard]] const Generator& generator() const { return *generator_; }

 private:
  std::shared_ptr<Generator> generator_;
  // A pointer, because the pass still refers to it after a move.
  std::unique_ptr<infer::DecoderState> state_;
  PassRun pass_;
};

// How far a job is, after one of its steps.
struct PassProgress {
  infer::PassStep step;
  bool done = false;
  uint64_t loaded = 0;  // tokens
  uint64_t total = 0;
};

}  // namespace ambry::generate
