// Plain text: whole characters, but no controls, no quotes and no backslashes. Within a JSON string
// and in most free text any of it may follow, so the tokens of plain text, which are nearly all,
// are allowed together and need not be walked.
#pragma once

#include <string_view>

#include "text/grammar/matcher/grammar_matcher.h"

namespace ambry::text {

// Whether it is plain text of 1 to 16 characters.
[[nodiscard]] bool is_short_plain_text(std::string_view bytes);

// Whether any plain text of up to 16 characters may follow. False also where that is not quickly
// told.
[[nodiscard]] bool allows_plain_text(GrammarMatcher& matcher, GrammarMatcher::State state);

}  // namespace ambry::text
