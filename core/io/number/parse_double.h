// Converts decimal text to the nearest double. The C library's strtod does the same but adds 13 KB
// of 128-bit floating point to the WebAssembly.
#pragma once

#include <string_view>

namespace ambry::io {

// `text` follows the JSON grammar of numbers. Ties round to even. Values that are too large become
// infinity.
[[nodiscard]] double parse_double(std::string_view text);

// Parses a float, rounded only once: going through a double would round some values twice.
// parse_float.h is faster and accepts more forms.
[[nodiscard]] float round_to_float(std::string_view text);

}  // namespace ambry::io
