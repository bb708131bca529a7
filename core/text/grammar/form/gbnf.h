// Reads GBNF, the grammars of llama.cpp (core/text/grammar/README.md#gbnf).
#pragma once

#include <string_view>

#include "base/result.h"
#include "text/grammar/form/grammar.h"

namespace ambry::text {

// The rule `root` is the whole answer. Errors have the byte offset in `text` and this path:
// BadValue for bad syntax, NotFound for a rule that is used and not defined, LimitExceeded for a
// text of more than 1 MB, groups in more than 64 groups, a class of more than 4096 parts and a
// repetition of more than 100,000.
[[nodiscard]] Result<Grammar> parse_gbnf(std::string_view text, std::string_view path);

}  // namespace ambry::text
