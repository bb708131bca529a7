// Lists whose items differ (uniqueItems), which are written where the items are values of an enum.
#pragma once

#include <string>

#include "text/grammar/schema/schema_compiler.h"

namespace ambry::text {

// Between the brackets: items that fit the schema, in the order in which it lists them. `path` is
// that of uniqueItems.
[[nodiscard]] Result<Grammar::Expression> compile_different_items(SchemaCompiler& compiler,
                                                                  const SchemaNode& item,
                                                                  const Counts& counts,
                                                                  const std::string& path);
[[nodiscard]] Failure cannot_differ(const std::string& path);

}  // namespace ambry::text
