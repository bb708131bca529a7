// Prints a double as the shortest decimal that reads back as the same value.
#pragma once

#include <string>

namespace ambry::io {

// A JSON number that is visibly a float: "0.5", "3.0", "-1.25e-7", "1e22". `value` must be finite.
// Of several shortest decimals it is the closest, as in JavaScript and std::to_chars.
[[nodiscard]] std::string print_double(double value);

}  // namespace ambry::io
