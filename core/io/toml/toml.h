// Reads TOML 1.0 as JSON: word vectors have metadata in TOML. Written here because toml++ 3.3 adds
// 158 KB to the WebAssembly (63 KB compressed) and this adds 15 KB (7 KB). Keys keep their order,
// dates and times stay text, and nothing recurses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::io {

// `base_offset` and `path` as for parse_json. LimitExceeded for more than kMaxMetadataEntries
// values and tables, or more than kMaxJsonDepth levels.
[[nodiscard]] Result<Json> parse_toml(std::string_view text, uint64_t base_offset = 0,
                                      std::string_view path = "toml");

// Text that parse_toml reads back as the same object; empty for an empty object. Leaves out null,
// which TOML cannot hold.
[[nodiscard]] std::string to_toml(const Json& object);

}  // namespace ambry::io
