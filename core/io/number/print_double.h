// A double as text: the shortest decimal that reads as the same number again.
#pragma once

#include <string>

namespace ambry::io {

// A JSON number that shows its type: "0.5", "3.0", "-1.25e-7", "1e22". `value` must be finite.
// Among the shortest decimals it is the closest one, as JavaScript and std::to_chars have it.
[[nodiscard]] std::string print_double(double value);

}  // namespace ambry::io
