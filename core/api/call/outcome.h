// The result of each call across the border to JavaScript, as JSON text: {"value": …} or {"error":
// problem}.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace ambry::api {

// `value` is JSON text.
[[nodiscard]] std::string success_text(std::string_view value);

// The error as {code, message, byteOffset?, path?, needSize?}.
[[nodiscard]] std::string failure_text(const Error& error);

// The text as a JSON string.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace ambry::api
