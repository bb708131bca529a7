// Pieces of JSON as grammars: strings, numbers, fixed values and white space.
#pragma once

#include <string>
#include <string_view>

#include "io/json/json.h"
#include "text/grammar/form/code_point_set.h"
#include "text/grammar/form/grammar.h"

namespace ambry::text {

// A character of the set as it is written in a JSON string: itself, or an escape where JSON needs
// one.
[[nodiscard]] Grammar::Expression json_char(Grammar& grammar, const CodePointSet& set);
// Any character of a JSON string, in every spelling that stands for a whole character.
[[nodiscard]] Grammar::Expression any_json_char(Grammar& grammar);
// What may stand between the parts of a value: one space or nothing.
[[nodiscard]] Grammar::Expression json_space(Grammar& grammar);
// The text as the content of a JSON string, in the spelling of json_char().
[[nodiscard]] std::string json_content(std::string_view text);
// The value, with optional spaces after : and ,.
[[nodiscard]] Grammar::Expression json_value(Grammar& grammar, const io::Json& value);
// A key in quotes, and the colon.
[[nodiscard]] Grammar::Expression json_key(Grammar& grammar, std::string_view key);
// Any key in quotes but these, and the colon. Its characters need no escapes.
[[nodiscard]] Grammar::Expression json_key_except(Grammar& grammar,
                                                  const std::vector<std::string_view>& keys);
// A comma and the space after it.
[[nodiscard]] Grammar::Expression json_comma(Grammar& grammar);

}  // namespace ambry::text
