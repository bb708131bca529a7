// Parses the TOML values that are not strings: numbers, booleans, dates and times.
#pragma once

#include <optional>
#include <string_view>

#include "io/json/json.h"

namespace ambry::io {

// The value of the whole `token`, or nothing when it is not a scalar. Dates and times become text.
[[nodiscard]] std::optional<Json> toml_scalar(std::string_view token);

// Whether the token is a date without a time. A space and a time may follow such a token.
[[nodiscard]] bool is_toml_date(std::string_view token);

}  // namespace ambry::io
