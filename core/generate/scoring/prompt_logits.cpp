#include "generate/scoring/prompt_logits.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"

namespace ambry::generate {

using infer::PassStep;

namespace {

Result<void> check_fits(const infer::Decoder& decoder, const std::vector<uint32_t>& ids) {
  const uint64_t context = decoder.context();
  if (ids.size() <= context) return {};
  return make_error(
      ErrorCode::LimitExceeded, "prompt",
      {"the prompt has ", uint64_t{ids.size()}, " tokens, more than the context of ", context});
}

}  // namespace

Result<PromptLogits> PromptLogits::begin(std::shared_ptr<Generator> generator, const Prompt& prompt,
                                         bool all) {
  AMBRY_TRY(std::vector<uint32_t> ids, prompt_ids(*generator, prompt));
  AMBRY_RETURN_IF_ERROR(check_fits(generator->decoder, ids));
  const uint64_t row_bytes = uint64_t{generator->decoder.n_vocab()} * sizeof(float);
  const auto bytes = checked_mul(all ? ids.size() : 1, row_bytes);
  if (!bytes)
    return make_error(ErrorCode::Overflow, "prompt",
                      "the size of the prompt's logits passes 64 bits");
  AMBRY_TRY(AlignedBuffer rows, AlignedBuffer::allocate(*bytes));
  PromptLogits logits(std::move(generator), std::move(ids), all, std::move(rows));
  AMBRY_RETURN_IF_ERROR(logits.begin_pass());
  return logits;
}

Result<void> PromptLogits::begin_pass() {
  const auto left = std::span<const uint32_t>(ids_).subspan(done_);
  const auto taken = all_ ? left.first(std::min(left.size(), kRowsAtOnce)) : left;
  begun_ = done_ + taken.size();
  return run_.begin(taken, all_ ? infer::Logits::Each : infer::Logits::Last);
}

Result<PassProgress> PromptLogits::step() {
  PassProgress report;
  if (done_ < ids_.size()) {
    AMBRY_TRY(report.step, run_.work());
    if (report.step.kind == PassStep::Kind::Done) {
      const size_t width = run_.generator().decoder.n_vocab();
      const size_t n_rows = all_ ? begun_ - done_ : 1;
      for (size_t i = 0; i < n_rows; ++i) {
        const size_t row = all_ ? done_ + i : 0;
        std::ranges::copy(run_.logits(i), rows_.as<float>().subspan(row * width).begin());
      }
      done_ = begun_;
      if (done_ < ids_.size()) AMBRY_RETURN_IF_ERROR(begin_pass());
    }
  }
  report.done = done_ == ids_.size();
  report.loaded = report.done ? ids_.size() : done_ + run_.done_tokens();
  report.total = ids_.size();
  return report;
}

}  // namespace ambry::generate
