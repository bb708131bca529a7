// A list of texts as a grammar.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "text/grammar/form/grammar.h"

namespace ambry::text {

// BadValue for an empty list, and for an empty text with the path `<path>[i]`.
[[nodiscard]] Result<Grammar> grammar_of_choices(std::span<const std::string> texts,
                                                 const std::string& path);

}  // namespace ambry::text
