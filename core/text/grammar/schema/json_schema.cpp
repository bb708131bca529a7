#include "text/grammar/schema/json_schema.h"

#include "text/grammar/schema/schema_compiler.h"

namespace ambry::text {

Result<Grammar> parse_json_schema(const io::Json& schema, std::string_view path) {
  return SchemaCompiler(schema, path).compile();
}

}  // namespace ambry::text
