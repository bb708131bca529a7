#include "generate/scoring/text_perplexity.h"

#include <algorithm>
#include <span>
#include <utility>

namespace ambry::generate {

using infer::PassStep;

Result<TextPerplexity> TextPerplexity::begin(std::shared_ptr<Generator> generator,
                                             const Prompt& text, const PerplexityOptions& options) {
  const uint64_t context = generator->decoder.context();
  const uint64_t size = options.window.value_or(context);
  if (size < 2 || size > context) {
    return make_error(ErrorCode::BadValue, "options.window",
                      {"must be an integer from 2 to ", context});
  }
  const uint64_t stride = options.stride.value_or(size / 2);
  if (stride == 0 || stride >= size) {
    return make_error(ErrorCode::BadValue, "options.stride",
                      {"must be an integer from 1 to ", size - 1});
  }
  AMBRY_TRY(std::vector<uint32_t> ids, prompt_ids(*generator, text));
  if (ids.size() < 2) {
    return make_error(ErrorCode::BadValue, "text",
                      "the text needs at least two tokens; the first has nothing before it");
  }
  TextPerplexity perplexity(std::move(generator), std::move(ids),
                            {static_cast<size_t>(size), static_cast<size_t>(stride)});
  AMBRY_RETURN_IF_ERROR(perplexity.begin_window());
  return perplexity;
}

Result<void> TextPerplexity::begin_window() {
  const size_t judged = window_end_;
  const size_t room = n_windows_ == 0 ? windows_.size : judged + windows_.stride;
  window_end_ = std::min(ids_.size(), room);
  const size_t begin = window_end_ - std::min(window_end_, windows_.size);
  window_.assign(ids_.begin() + static_cast<std::ptrdiff_t>(begin),
                 ids_.begin() + static_cast<std::ptrdiff_t>(window_end_));
  first_judged_ = n_windows_ == 0 ? 1 : judged - begin;
  const text::Tokenizer* tokenizer = run_.generator().tokenizer.get();
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
Result<void> TextPerplexity::begin_pass() {
  const size_t lead = first_judged_ - 1;
  const bool leads = fed_ < lead;
  feeding_ = leads ? lead - fed_ : std::min(window_.size() - 1 - fed_, kRowsAtOnce);
  return run_.begin(std::span(window_).subspan(fed_, feeding_),
                    leads ? infer::Logits::Last : infer::Logits::Each);
}

Result<void> TextPerplexity::finish_pass() {
  const uint32_t n_tokens = run_.generator().decoder.n_tokens();
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

Result<PassProgress> TextPerplexity::step() {
  PassProgress report;
  if (!done_) {
    AMBRY_TRY(report.step, run_.work());
    if (report.step.kind == PassStep::Kind::Done) AMBRY_RETURN_IF_ERROR(finish_pass());
  }
  report.done = done_;
  report.loaded = sum_.count();
  report.total = ids_.size() - 1;
  return report;
}

}  // namespace ambry::generate
