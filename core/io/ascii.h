// Characters of the texts that are read here, whatever the locale.
#pragma once

namespace ambry::io {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace ambry::io
