// Decimal text to the nearest float, for files of millions of numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ambry::io {

// `text` is all of a number as programs print them: an optional sign, digits with or without a
// point among them (`.5` and `5.` too), an optional exponent. Nothing when it is none of that
// (`nan`, `inf`); infinity when it is too large. Ties go to the even neighbour.
[[nodiscard]] std::optional<float> parse_float(std::string_view text);

// The float nearest to digits * 10^exponent.
[[nodiscard]] float nearest_float(uint64_t digits, int exponent);

}  // namespace ambry::io
