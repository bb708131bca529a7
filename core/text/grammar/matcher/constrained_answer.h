// An answer that keeps to a grammar, token by token.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "text/grammar/matcher/grammar_matcher.h"
#include "text/grammar/matcher/token_index.h"
#include "text/grammar/matcher/token_masks.h"

namespace ambry::text {

class ConstrainedAnswer {
 public:
  // `path` is the path of errors.
  ConstrainedAnswer(GrammarMatcher matcher, std::shared_ptr<const TokenIndex> tokens,
                    std::span<const uint32_t> end_ids, std::string path);

  // The tokens that may come next, as in TokenMasks. BadValue when there is none, because the
  // vocabulary cannot write the form; LimitExceeded for a form that is too large. Valid until the
  // next call.
  [[nodiscard]] Result<std::span<const uint64_t>> allowed();
  // Adds an allowed token that does not end the text. Where this passes a limit, allowed() says so.
  void accept(uint32_t id);
  // Whether the text has the whole form.
  [[nodiscard]] bool can_end() const { return matcher_.can_end(state_); }
  // Whether, besides, nothing can follow.
  [[nodiscard]] bool is_complete() const { return can_end() && !matcher_.can_go_on(state_); }

 private:
  GrammarMatcher matcher_;
  GrammarMatcher::State state_;
  std::shared_ptr<const TokenIndex> tokens_;
  TokenMasks masks_;
  std::string path_;
};

}  // namespace ambry::text
