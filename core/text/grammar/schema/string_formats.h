// The values of the keyword `format` that a grammar can express.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/grammar/form/grammar.h"

namespace ambry::text {

// The content of a JSON string of this format; nothing for a format that is not supported.
[[nodiscard]] std::optional<Grammar::Expression> string_format(Grammar& grammar,
                                                               std::string_view name);
[[nodiscard]] bool is_string_format(std::string_view name);
// "date, time, …"
[[nodiscard]] std::string string_format_names();

}  // namespace ambry::text
