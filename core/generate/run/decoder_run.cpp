#include "generate/run/decoder_run.h"

#include <algorithm>
#include <utility>

namespace ambry::generate {

using infer::PassStep;

namespace {

// Bytes of weights times tokens in one step: a few milliseconds of work.
constexpr uint64_t kStepBytes = uint64_t{16} << 20;

}  // namespace

Result<void> PassRun::begin(std::span<const infer::SequenceRows> sequences) {
  n_tokens_ = 0;
  for (const infer::SequenceRows& rows : sequences) n_tokens_ += rows.ids.size();
  return pass_.begin(*decoder_, sequences);
}

Result<PassStep> PassRun::work() {
  uint64_t worked = 0;
  PassStep step;
  while (worked < kStepBytes) {
    AMBRY_TRY(step, pass_.step());
    if (step.kind != PassStep::Kind::More) break;
    worked += decoder_->weight_bytes() / pass_.n_steps() * n_tokens_;
  }
  return step;
}

uint64_t PassRun::done_tokens() const {
  return n_tokens_ * pass_.steps_done() / std::max<uint64_t>(pass_.n_steps(), 1);
}

DecoderRun::DecoderRun(std::shared_ptr<Generator> generator)
    : generator_(std::move(generator)),
      state_(std::make_unique<infer::DecoderState>(generator_->decoder)),
      pass_(generator_->decoder) {}

}  // namespace ambry::generate
