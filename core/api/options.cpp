#include "api/options.h"

#include <utility>

namespace ambry::api {

using io::Json;

Failure bad_option(std::string_view name, const Text& message) {
  return make_error(ErrorCode::BadValue, {"options.", name}, message);
}

Result<bool> read_bool(const Json& options, std::string_view name, bool otherwise) {
  const Json* value = options.find(name);
  if (value == nullptr || value->is_null()) return otherwise;
  if (!value->is_bool()) return bad_option(name, "must be true or false");
  return value->boolean();
}

Result<std::string> read_text(const Json& options, std::string_view name, std::string otherwise) {
  const Json* value = options.find(name);
  if (value == nullptr || value->is_null()) return otherwise;
  if (!value->is_string()) return bad_option(name, "must be a string");
  return value->string();
}

}  // namespace ambry::api
