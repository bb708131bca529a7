#include "text/grammar/schema/schema_merge.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/order.h"
#include "text/grammar/schema/keywords.h"
#include "text/grammar/schema/schema_facts.h"

namespace ambry::text {
namespace {

using io::Json;

bool is_constraint(std::string_view keyword) {
  if (keyword == "$id") return false;  // SchemaSource::check() has seen it
  const auto use = keyword_use(keyword);
  return use != KeywordUse::Annotation && use != KeywordUse::Definitions;
}

Json both(const Json& a, const Json& b) {
  Json list = Json::array();
  list.append(a);
  list.append(b);
  Json joined = Json::object();
  joined.set("allOf", std::move(list));
  return joined;
}

Json joined_lists(const Json& a, const Json& b) {
  Json list = a;
  for (const Json& item : b.items()) list.append(item);
  return list;
}

Json common_types(TypeSet types) {
  Json list = Json::array();
  const auto add = [&](TypeSet type, const char* name) {
    if ((types & type) != 0) list.append(name);
  };
  add(kNull, "null");
  add(kBoolean, "boolean");
  if ((types & kFraction) == 0) add(kInteger, "integer");
  add(kFraction, "number");
  add(kString, "string");
  add(kArray, "array");
  add(kObject, "object");
  return list;
}

Json joined_properties(const Json& a, const Json& b) {
  Json joined = a;
  for (const auto& [name, schema] : b.members()) {
    const Json* known = a.find(name);
    joined.set(name, known == nullptr ? schema : both(*known, schema));
  }
  return joined;
}

Json common_values(const Json& a, const Json& b) {
  std::vector<std::string> keys;
  for (const Json& value : b.items()) keys.push_back(value_key(value));
  sort_items(keys, [](const std::string& x, const std::string& y) { return x < y; });
  Json common = Json::array();
  for (const Json& value : a.items()) {
    if (std::ranges::binary_search(keys, value_key(value))) common.append(value);
  }
  return common;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::count(names, name) > 0;
}

Result<Json> join_values(std::string_view name, const Json& a, const Json& b,
                         const std::string& path) {
  if (a.dump() == b.dump()) return a;
  if (name == "type") {
    AMBRY_TRY(const TypeSet first, read_types(a, path));
    AMBRY_TRY(const TypeSet second, read_types(b, path));
    return common_types(first & second);
  }
  if (a.is_number() && b.is_number()) {
    const bool a_is_less = a.number() < b.number();
    if (is_one_of(name,
                  {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})) {
      return a_is_less ? b : a;
    }
    if (is_one_of(name,
                  {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})) {
      return a_is_less ? a : b;
    }
  }
  if (a.is_array() && b.is_array()) {
    if (is_one_of(name, {"required", "allOf"})) return joined_lists(a, b);
    if (name == "enum") return common_values(a, b);
  }
  if (name == "properties" && a.is_object() && b.is_object()) return joined_properties(a, b);
  if (is_one_of(name, {"items", "additionalProperties"}) && !a.is_array() && !b.is_array()) {
    return both(a, b);
  }
  return make_error(ErrorCode::Unsupported, path,
                    {"two different values of ", name, " cannot be combined"});
}

// `additionalProperties` speaks of the properties that its own schema does not list, so it means
// something else once the properties of another schema are listed beside it.
Result<void> check_additional(const Json& a, const Json& b, const std::string& path) {
  const Json* additional = a.find("additionalProperties");
  if (additional == nullptr || (additional->is_bool() && additional->boolean())) return {};
  const Json* own = a.find("properties");
  const Json* others = b.find("properties");
  if (others == nullptr || !others->is_object()) return {};
  for (const auto& [name, _] : others->members()) {
    if (own != nullptr && own->find(name) != nullptr) continue;
    return make_error(
        ErrorCode::Unsupported, path + ".additionalProperties",
        {"additionalProperties cannot be combined with the property ", name, " of another schema"});
  }
  return {};
}

}  // namespace

Result<Json> merge_schemas(const Json& a, const Json& b, const std::string& path) {
  if (a.is_bool()) return a.boolean() ? b : a;
  if (b.is_bool()) return b.boolean() ? a : b;
  if (!a.is_object() || !b.is_object()) {
    return make_error(ErrorCode::BadValue, path, "a schema is an object, true or false");
  }
  AMBRY_RETURN_IF_ERROR(check_additional(a, b, path));
  AMBRY_RETURN_IF_ERROR(check_additional(b, a, path));
  Json merged = constraints_without(a, "");
  for (const auto& [name, value] : b.members()) {
    if (!is_constraint(name)) continue;
    const Json* known = merged.find(name);
    if (known == nullptr) {
      merged.append_member(name, value);
      continue;
    }
    AMBRY_TRY(Json joined, join_values(name, *known, value, concat({path, ".", name})));
    merged.set(name, std::move(joined));
  }
  return merged;
}

Json constraints_without(const Json& schema, std::string_view keyword) {
  Json rest = Json::object();
  for (const auto& [name, value] : schema.members()) {
    if (name != keyword && is_constraint(name)) rest.append_member(name, value);
  }
  return rest;
}

}  // namespace ambry::text
