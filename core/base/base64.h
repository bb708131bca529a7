// Base64 (RFC 4648, section 4), for bytes in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ambry {

// The decoded bytes; nothing if the text is not base64 with padding.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace ambry
