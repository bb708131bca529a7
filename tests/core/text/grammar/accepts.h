// Whether a grammar has a text, by the matcher.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "text/grammar/form/grammar.h"
#include "text/grammar/matcher/grammar_matcher.h"

namespace ambry::text::testing {

inline bool accepts(GrammarMatcher& matcher, std::string_view text) {
  return matcher.can_end(matcher.next(matcher.start(), text));
}

// False, with a failure, for a grammar that cannot be used.
inline bool accepts(const Grammar& grammar, std::string_view text) {
  Result<GrammarMatcher> matcher = GrammarMatcher::create(grammar, "form");
  if (!matcher) {
    ADD_FAILURE() << describe(matcher.error());
    return false;
  }
  return accepts(*matcher, text);
}

inline bool begins(const Grammar& grammar, std::string_view text) {
  Result<GrammarMatcher> matcher = GrammarMatcher::create(grammar, "form");
  if (!matcher) {
    ADD_FAILURE() << describe(matcher.error());
    return false;
  }
  return matcher->next(matcher->start(), text) != GrammarMatcher::kDead;
}

}  // namespace ambry::text::testing
