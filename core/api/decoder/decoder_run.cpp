#include "api/decoder/decoder_run.h"

#include <algorithm>
#include <utility>

namespace ambry::api {

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

DecoderRun::DecoderRun(std::shared_ptr<GeneratorRuntime> runtime)
    : runtime_(std::move(runtime)),
      state_(std::make_unique<infer::DecoderState>(runtime_->decoder)),
      pass_(runtime_->decoder) {}

io::Json PassReport::document() const {
  io::Json document = io::Json::object();
  const bool lacks = step.kind == PassStep::Kind::NeedsPart;
  document.set("part", lacks ? io::Json(uint64_t{step.part}) : io::Json());
  document.set("done", done);
  document.set("loaded", loaded);
  document.set("total", total);
  return document;
}

}  // namespace ambry::api
