// Joins two schemas into one that allows what both allow, for allOf and for keywords beside $ref
// and anyOf.
#pragma once

#include <string>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::text {

// Unsupported, with the name, for a keyword of both that cannot be joined. Annotations and
// definitions are left out.
[[nodiscard]] Result<io::Json> merge_schemas(const io::Json& a, const io::Json& b,
                                             const std::string& path);

// The schema without annotations, definitions and this keyword.
[[nodiscard]] io::Json constraints_without(const io::Json& schema, std::string_view keyword);

}  // namespace ambry::text
