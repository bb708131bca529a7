// How every call over the border to JavaScript ends: as JSON text, {"value": …} or {"error":
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

// A text as JSON.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace ambry::api
