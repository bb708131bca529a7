// TOML 1.0 as JSON: what word vectors carry as metadata. Written here because the library at hand
// (toml++ 3.3) adds 158 KB to the WebAssembly, 63 KB when compressed, and this 15 KB and 7 KB. Keys
// keep the order of the text, dates and times stay text, and nothing recurses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::io {

// `base_offset` and `path` as for parse_json. LimitExceeded past kMaxMetadataEntries values and
// tables, and past kMaxJsonDepth levels.
[[nodiscard]] Result<Json> parse_toml(std::string_view text, uint64_t base_offset = 0,
                                      std::string_view path = "toml");

// Text that parse_toml reads as the same; nothing for an empty object. What TOML cannot hold (null)
// is left out.
[[nodiscard]] std::string to_toml(const Json& object);

}  // namespace ambry::io
