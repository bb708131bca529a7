// Decimal text to the nearest double. The C library's strtod gives the same and brings 13 KB of
// 128-bit floating point into the WebAssembly.
#pragma once

#include <string_view>

namespace ambry::io {

// `number` follows the grammar of JSON. Ties go to the even neighbour; infinity when it is too
// large.
[[nodiscard]] double parse_double(std::string_view number);

// The same for a float, rounded once: by way of a double, some numbers would be rounded twice. See
// parse_float.h, which is faster and takes more forms.
[[nodiscard]] float round_to_float(std::string_view number);

}  // namespace ambry::io
