// JSON numbers between two bounds as grammars, digit by digit. A number has at most 15 digits
// before the point, so that no double rounds it past a bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "io/json/json.h"
#include "text/grammar/form/grammar.h"

namespace ambry::text {

// A bound of a schema. The digits of a fraction have no zeros at their end.
struct NumberBound {
  bool is_negative = false;
  uint64_t whole = 0;    // the digits before the point
  std::string fraction;  // the digits after it
  bool is_exclusive = false;

  [[nodiscard]] bool is_zero() const { return whole == 0 && fraction.empty(); }
};

struct NumberRange {
  std::optional<NumberBound> lower;
  std::optional<NumberBound> upper;
};

// Unsupported for a bound of more than 15 digits or with an exponent.
[[nodiscard]] Result<NumberBound> read_bound(const io::Json& value, bool is_exclusive,
                                             std::string_view path);

// Integers of the range. Matches nothing when there is none.
[[nodiscard]] Grammar::Expression integers_in(Grammar& grammar, const NumberRange& range);
// Numbers of the range, with an exponent only where there is no bound.
[[nodiscard]] Grammar::Expression numbers_in(Grammar& grammar, const NumberRange& range);

}  // namespace ambry::text
