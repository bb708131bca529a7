// The values of TOML that are no strings: numbers, truth values, dates and times.
#pragma once

#include <optional>
#include <string_view>

#include "io/json/json.h"

namespace ambry::io {

// The value that the whole of `token` is; nothing when it is none. Dates and times become text.
[[nodiscard]] std::optional<Json> toml_scalar(std::string_view token);

// Whether the token is a date without a time, after which a space and a time may follow.
[[nodiscard]] bool is_toml_date(std::string_view token);

}  // namespace ambry::io
