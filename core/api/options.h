// Reads the JSON of a call's options: members that may be absent or null, which means what the
// caller says. BadValue with the path `options.<name>` for a value of the wrong kind.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/json.h"

namespace ambry::api {

[[nodiscard]] Failure bad_option(std::string_view name, const Text& message);

[[nodiscard]] Result<bool> read_bool(const io::Json& options, std::string_view name,
                                     bool otherwise);
[[nodiscard]] Result<std::string> read_text(const io::Json& options, std::string_view name,
                                            std::string otherwise);

}  // namespace ambry::api
