#include "api/decoder/perplexity_job.h"

#include <algorithm>
#include <span>
#include <utility>

#include "api/call/options.h"
#include "api/decoder/progress_document.h"
#include "api/decoder/prompt.h"
#include "io/json/json.h"

namespace ambry::api {

using infer::PassStep;
using io::Json;

Result<PerplexityJob> PerplexityJob::begin(std::shared_ptr<generate::Generator> runtime,
                                           std::string_view text, std::string_view options) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  const uint64_t context = runtime->decoder.context();
  AMBRY_TRY(const uint64_t size, read_count(json, "window", context));
  if (size < 2 || size > context) {
    return bad_option("window", {"must be an integer from 2 to ", context});
  }
  AMBRY_TRY(const uint64_t stride, read_count(json, "stride", size / 2));
  if (stride == 0 || stride >= size) {
    return bad_option("stride", {"must be an integer from 1 to ", size - 1});
  }
  AMBRY_TRY(std::vector<uint32_t> ids, prompt_ids(*runtime, text, json));
  if (ids.size() < 2) {
    return make_error(ErrorCode::BadValue, "text",
                      "the text needs at least two tokens; the first has nothing before it");
  }
  PerplexityJob job(std::move(runtime), std::move(ids),
                    {static_cast<size_t>(size), static_cast<size_t>(stride)});
  AMBRY_RETURN_IF_ERROR(job.begin_window());
  return job;
}

Result<void> PerplexityJob::begin_window() {
  const size_t judged = window_end_;
  const size_t room = n_windows_ == 0 ? windows_.size : judged + windows_.stride;
  window_end_ = std::min(ids_.size(), room);
  const size_t begin = window_end_ - std::min(window_end_, windows_.size);
  window_.assign(ids_.begin() + static_cast<std::ptrdiff_t>(begin),
                 ids_.begin() + static_cast<std::ptrdiff_t>(window_end_));
  first_judged_ = n_windows_ == 0 ? 1 : judged - begin;
  const text::Tokenizer* tokenizer = run_.runtime().tokenizer.get();
  // The first token to score needs its predecessor.
  const bool begins = tokenizer != nullptr && tokenizer->bos() == ids_[0];
  if (begin > 0 && first_judged_ > 1 && begins) window_[0] = ids_[0];
  ++n_windows_;
  fed_ = 0;
  run_.reset();
  return begin_pass();
}

// Tokens before those to score are fed all at once. The others are fed a few at a time, with a row
// of logits for each. The window's last token needs no pass.
Result<void> PerplexityJob::begin_pass() {
  const size_t lead = first_judged_ - 1;
  const bool leads = fed_ < lead;
  feeding_ = leads ? lead - fed_ : std::min(window_.size() - 1 - fed_, generate::kRowsAtOnce);
  return run_.begin(std::span(window_).subspan(fed_, feeding_),
                    leads ? infer::Logits::Last : infer::Logits::Each);
}

Result<void> PerplexityJob::finish_pass() {
  const uint32_t n_tokens = run_.runtime().decoder.n_tokens();
  for (size_t i = 0; fed_ + 1 >= first_judged_ && i < feeding_; ++i) {
    const uint32_t id = window_[fed_ + i + 1];
    if (id >= n_tokens)
      return make_error(ErrorCode::BadValue, "text",
                        "the text has a token that the model does not know");
    sum_.add(infer::log_probability(run_.logits(i).first(n_tokens), id));
  }
  fed_ += feeding_;
  if (fed_ + 1 < window_.size()) return begin_pass();
  if (window_end_ < ids_.size()) return begin_window();
  done_ = true;
  return {};
}

Result<std::string> PerplexityJob::step() {
  generate::PassProgress report;
  if (!done_) {
    AMBRY_TRY(report.step, run_.work());
    if (report.step.kind == PassStep::Kind::Done) AMBRY_RETURN_IF_ERROR(finish_pass());
  }
  report.done = done_;
  report.loaded = sum_.count();
  report.total = ids_.size() - 1;
  return progress_document(report).dump();
}

std::string PerplexityJob::report() const {
  Json document = Json::object();
  document.set("perplexity", sum_.value());
  document.set("crossEntropy", -sum_.sum() / static_cast<double>(sum_.count()));
  document.set("tokens", sum_.count());
  document.set("windows", uint64_t{n_windows_});
  return document.dump();
}

}  // namespace ambry::api
