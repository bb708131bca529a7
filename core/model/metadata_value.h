// Typed reading of metadata whose values are strings (EMBD) or JSON values (config.json).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/json.h"

namespace ambry::model {

// Nothing when the key is absent; BadValue, at the value's byte, when it is not of the type.
[[nodiscard]] Result<std::optional<uint32_t>> metadata_u32(const io::Json& metadata,
                                                           std::string_view key);
[[nodiscard]] Result<std::optional<double>> metadata_double(const io::Json& metadata,
                                                            std::string_view key);
[[nodiscard]] Result<std::optional<bool>> metadata_bool(const io::Json& metadata,
                                                        std::string_view key);
[[nodiscard]] std::optional<std::string_view> metadata_text(const io::Json& metadata,
                                                            std::string_view key);

// An error about the value of `key`, at its byte if it has one.
[[nodiscard]] Error metadata_error(const io::Json& metadata, std::string_view key, ErrorCode code,
                                   std::string message);

}  // namespace ambry::model
