// JSON numbers between two bounds as grammars, digit by digit. A number has at most 15 digits
// before the point, or is an integer up to 2^53 - 1, so that no double rounds it past a bound.
#pragma once

#include <optional>

#include "text/grammar/form/grammar.h"
#include "text/grammar/schema/number_bound.h"

namespace ambry::text {

struct NumberRange {
  std::optional<NumberBound> lower;
  std::optional<NumberBound> upper;
};

// Integers of the range. Matches nothing when there is none.
[[nodiscard]] Grammar::Expression integers_in(Grammar& grammar, const NumberRange& range);
// Numbers of the range without exponents.
[[nodiscard]] Grammar::Expression numbers_in(Grammar& grammar, const NumberRange& range);
// All numbers, also with exponents.
[[nodiscard]] Grammar::Expression any_number(Grammar& grammar);

}  // namespace ambry::text
