#include "api/decoder/logits_job.h"

#include <algorithm>
#include <utility>

#include "api/call/options.h"
#include "api/decoder/progress_document.h"
#include "api/decoder/prompt.h"
#include "base/checked.h"
#include "io/json/json.h"

namespace ambry::api {

using infer::PassStep;

Result<LogitsJob> LogitsJob::begin(std::shared_ptr<generate::Generator> runtime,
                                   std::string_view text, std::string_view options) {
  AMBRY_TRY(const io::Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(const bool all, read_bool(json, "all", false));
  AMBRY_TRY(std::vector<uint32_t> ids, prompt_ids(*runtime, text, json));
  AMBRY_RETURN_IF_ERROR(check_fits(*runtime, ids));
  const uint64_t row_bytes = uint64_t{runtime->decoder.n_vocab()} * sizeof(float);
  const auto bytes = checked_mul(all ? ids.size() : 1, row_bytes);
  if (!bytes)
    return make_error(ErrorCode::Overflow, "prompt",
                      "the size of the prompt's logits passes 64 bits");
  AMBRY_TRY(AlignedBuffer rows, AlignedBuffer::allocate(*bytes));
  LogitsJob job(std::move(runtime), std::move(ids), all, std::move(rows));
  AMBRY_RETURN_IF_ERROR(job.begin_pass());
  return job;
}

Result<void> LogitsJob::begin_pass() {
  const auto left = std::span<const uint32_t>(ids_).subspan(done_);
  const auto taken = all_ ? left.first(std::min(left.size(), generate::kRowsAtOnce)) : left;
  begun_ = done_ + taken.size();
  return run_.begin(taken, all_ ? infer::Logits::Each : infer::Logits::Last);
}

Result<std::string> LogitsJob::step() {
  generate::PassProgress report;
  if (done_ < ids_.size()) {
    AMBRY_TRY(report.step, run_.work());
    if (report.step.kind == PassStep::Kind::Done) {
      const size_t width = run_.runtime().decoder.n_vocab();
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
  return progress_document(report).dump();
}

}  // namespace ambry::api
