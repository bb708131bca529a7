// Decimal text to the nearest double. The C library's strtod gives the same and brings 13 KB of
// 128-bit floating point into the WebAssembly.
#pragma once

#include <string_view>

namespace ambry::io {

// `number` follows the grammar of JSON. Ties go to the even neighbour; infinity when it is too
// large.
[[nodiscard]] double parse_double(std::string_view number);

}  // namespace ambry::io
