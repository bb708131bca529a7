#include "text/grammar/matcher/constrained_answer.h"

#include <algorithm>
#include <utility>

namespace ambry::text {

ConstrainedAnswer::ConstrainedAnswer(GrammarMatcher matcher,
                                     std::shared_ptr<const TokenIndex> tokens,
                                     std::span<const uint32_t> end_ids, std::string path)
    : matcher_(std::move(matcher)),
      state_(matcher_.start()),
      tokens_(std::move(tokens)),
      masks_(*tokens_, end_ids),
      path_(std::move(path)) {}

Result<std::span<const uint64_t>> ConstrainedAnswer::allowed() {
  const auto is_lost = [&] { return matcher_.is_exhausted() || state_ == GrammarMatcher::kDead; };
  if (!is_lost() && matcher_.is_half_full()) {
    state_ = matcher_.keep_only(state_);
    masks_.clear();
  }
  std::span<const uint64_t> mask;
  if (!is_lost()) mask = masks_.allowed(matcher_, state_);
  if (is_lost()) {
    return make_error(ErrorCode::LimitExceeded, path_,
                      "this form is too large or too ambiguous to follow; make it simpler");
  }
  if (std::ranges::all_of(mask, [](uint64_t word) { return word == 0; })) {
    return make_error(ErrorCode::BadValue, path_,
                      "no token of the model can continue the answer in this form");
  }
  return mask;
}

void ConstrainedAnswer::accept(uint32_t id) {
  state_ = matcher_.next(state_, tokens_->texts().bytes(id));
}

}  // namespace ambry::text
