// Reads the JSON options of a call. A member that is absent or null gives the caller's fallback.
// BadValue with the path `options.<name>` for a value of the wrong type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::api {

[[nodiscard]] Failure bad_option(std::string_view name, const Text& message);

[[nodiscard]] Result<bool> read_bool(const io::Json& options, std::string_view name, bool fallback);
// Integers of 0 or more.
[[nodiscard]] Result<uint64_t> read_count(const io::Json& options, std::string_view name,
                                          uint64_t fallback);
[[nodiscard]] Result<double> read_number(const io::Json& options, std::string_view name,
                                         double fallback);
// Returns no texts when the member is absent.
[[nodiscard]] Result<std::vector<std::string>> read_texts(const io::Json& options,
                                                          std::string_view name);
[[nodiscard]] Result<std::string> read_text(const io::Json& options, std::string_view name,
                                            std::string fallback);

}  // namespace ambry::api
