// Base64 (RFC 4648, 4): bytes in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ambry {

// The bytes; nothing where the text is not base64 with its padding.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace ambry
