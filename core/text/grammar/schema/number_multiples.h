// Multiples of a number, and all spellings of one, as grammars.
#pragma once

#include <string>

#include "base/result.h"
#include "io/json/json.h"
#include "text/grammar/form/grammar.h"

namespace ambry::text {

// Numbers without an exponent that are multiples of this one, among those of numbers_in().
// BadValue for a number that is not above 0, LimitExceeded for one of too many digits.
[[nodiscard]] Result<Grammar::Expression> multiples_of(Grammar& grammar, const io::Json& value,
                                                       const std::string& path);
// Every spelling of a number, among those of numbers_in().
[[nodiscard]] Grammar::Expression spellings_of(Grammar& grammar, const io::Json& number);

}  // namespace ambry::text
