// Makes a grammar of a JSON Schema (core/text/grammar/README.md#json-schema). Every text of the
// grammar is JSON that the schema allows. The grammar may leave out spellings and values that the
// schema also allows.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/json/json.h"
#include "text/grammar/form/grammar.h"

namespace ambry::text {

// Errors have the place in the schema as their path, after `path`: "schema.properties.a.not".
// Unsupported for keywords that a grammar cannot express, BadValue for values that a keyword cannot
// have, NotFound for a $ref to nothing, LimitExceeded for a schema that becomes too large.
[[nodiscard]] Result<Grammar> parse_json_schema(const io::Json& schema, std::string_view path);

}  // namespace ambry::text
