#include "api/call/options.h"

#include <utility>

namespace ambry::api {

using io::Json;

Failure bad_option(std::string_view name, const Text& message) {
  return make_error(ErrorCode::BadValue, {"options.", name}, message);
}

Result<bool> read_bool(const Json& options, std::string_view name, bool fallback) {
  const Json* value = options.find(name);
  if (value == nullptr || value->is_null()) return fallback;
  if (!value->is_bool()) return bad_option(name, "must be true or false");
  return value->boolean();
}

Result<uint64_t> read_count(const Json& options, std::string_view name, uint64_t fallback) {
  const Json* value = options.find(name);
  if (value == nullptr || value->is_null()) return fallback;
  if (!value->is_uint()) return bad_option(name, "must be an integer of 0 or more");
  return value->uint();
}

Result<double> read_number(const Json& options, std::string_view name, double fallback) {
  const Json* value = options.find(name);
  if (value == nullptr || value->is_null()) return fallback;
  if (!value->is_number()) return bad_option(name, "must be a number");
  return value->number();
}

Result<std::vector<std::string>> read_texts(const Json& options, std::string_view name) {
  std::vector<std::string> texts;
  const Json* list = options.find(name);
  if (list == nullptr || list->is_null()) return texts;
  if (!list->is_array()) return bad_option(name, "must be a list of strings");
  for (const Json& item : list->items()) {
    if (!item.is_string()) return bad_option(name, "must be a list of strings");
    texts.push_back(item.string());
  }
  return texts;
}

Result<std::string> read_text(const Json& options, std::string_view name, std::string fallback) {
  const Json* value = options.find(name);
  if (value == nullptr || value->is_null()) return fallback;
  if (!value->is_string()) return bad_option(name, "must be a string");
  return value->string();
}

}  // namespace ambry::api
