// Converts decimal text to the nearest float, fast enough for files with millions of values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ambry::io {

// `text` is one number as programs print it: an optional sign, digits with or without a point (`.5`
// and `5.` too) and an optional exponent. Returns nothing for other text (`nan`, `inf`) and
// infinity for values that are too large. Ties round to even.
[[nodiscard]] std::optional<float> parse_float(std::string_view text);

// The float nearest to digits * 10^exponent.
[[nodiscard]] float nearest_float(uint64_t digits, int exponent);

}  // namespace ambry::io
