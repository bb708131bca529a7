// Tests on ASCII characters that do not depend on the locale.
#pragma once

namespace ambry::io {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace ambry::io
