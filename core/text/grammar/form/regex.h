// Reads regular expressions of ECMAScript (core/text/grammar/README.md#regular-expressions).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/grammar/form/code_point_set.h"
#include "text/grammar/form/grammar.h"

namespace ambry::text {

// How a character of the text is written in the answer: as UTF-8, or as in a JSON string.
using Spelling = Grammar::Expression (*)(Grammar& grammar, const CodePointSet& set);

// Whole: the expression describes the whole text. Somewhere: it need only match a part of it, as
// the keyword `pattern` of JSON Schema.
enum class RegexMatch : uint8_t { Whole, Somewhere };

// A condition on the whole text, which the expression states before anything else.
struct Lookahead {
  Grammar::Expression text = Grammar::kNothing;
  bool is_negative = false;
};

// Lookaheads at the start of the expression, after ^, are added to `lookaheads`: the text must have
// those forms, too. Without that list they are refused as all others.
// Errors have the byte offset in `text` and this path: BadValue for bad syntax, Unsupported for
// backreferences, lookarounds, word boundaries, properties of Unicode, flags, and ^ or $ in other
// places than at the ends; LimitExceeded as in parse_gbnf().
[[nodiscard]] Result<Grammar::Expression> parse_regex(Grammar& grammar, std::string_view text,
                                                      std::string_view path, RegexMatch match,
                                                      Spelling spelling,
                                                      std::vector<Lookahead>* lookaheads = nullptr);

}  // namespace ambry::text
