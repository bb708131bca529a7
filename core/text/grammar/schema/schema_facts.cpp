#include "text/grammar/schema/schema_facts.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/order.h"
#include "text/grammar/schema/keywords.h"

namespace ambry::text {
namespace {

using io::Json;

constexpr std::array<std::pair<std::string_view, TypeSet>, 7> kTypeNames = {{
    {"null", kNull},
    {"boolean", kBoolean},
    {"integer", kInteger},
    {"number", kInteger | kFraction},
    {"string", kString},
    {"array", kArray},
    {"object", kObject},
}};

Result<TypeSet> read_type(const Json& type, const std::string& path) {
  if (type.is_string()) {
    for (const auto& [name, types] : kTypeNames) {
      if (name == type.string()) return types;
    }
  }
  return make_error(ErrorCode::BadValue, path,
                    "a type is null, boolean, integer, number, string, array or object");
}

TypeSet types_of_values(const Json& schema) {
  TypeSet types = kEveryType;
  if (const Json* value = schema.find("const")) types = type_of(*value);
  const Json* list = schema.find("enum");
  if (list == nullptr || !list->is_array()) return types;
  TypeSet listed = 0;
  for (const Json& value : list->items()) listed |= type_of(value);
  return types & listed;
}

}  // namespace

TypeSet type_of(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::Null:
      return kNull;
    case Json::Kind::Bool:
      return kBoolean;
    case Json::Kind::Int:
    case Json::Kind::Uint:
      return kInteger;
    case Json::Kind::Double:
      return std::trunc(value.number()) == value.number() ? kInteger : kFraction;
    case Json::Kind::String:
      return kString;
    case Json::Kind::Array:
      return kArray;
    case Json::Kind::Object:
      return kObject;
  }
  return 0;
}

Result<TypeSet> stated_types(const Json& schema, const std::string& path) {
  const Json* type = schema.find("type");
  if (type == nullptr) return kEveryType;
  TypeSet types = 0;
  for (const Json& item : type->is_array() ? type->items() : std::vector<Json>{*type}) {
    AMBRY_TRY(const TypeSet more, read_type(item, path + ".type"));
    types |= more;
  }
  const Json* nullable = schema.find("nullable");
  if (nullable != nullptr && nullable->is_bool() && nullable->boolean()) types |= kNull;
  return types;
}

Result<TypeSet> allowed_types(const Json& schema, const std::string& path) {
  if (schema.is_bool()) return schema.boolean() ? kEveryType : TypeSet{0};
  AMBRY_TRY(const TypeSet stated, stated_types(schema, path));
  return static_cast<TypeSet>(stated & types_of_values(schema));
}

TypeSet types_of_keyword(std::string_view keyword) {
  switch (keyword_use(keyword).value_or(KeywordUse::General)) {
    case KeywordUse::String:
      return kString;
    case KeywordUse::Number:
      return kInteger | kFraction;
    case KeywordUse::Array:
      return kArray;
    case KeywordUse::Object:
      return kObject;
    default:
      return 0;
  }
}

std::string value_key(const Json& value) {
  return value.is_number() ? Json(value.number()).dump() : value.dump();
}

std::optional<std::vector<std::string>> fixed_value_keys(const Json& schema) {
  const Json* list = schema.find("enum");
  const Json* single = schema.find("const");
  const bool has_list = list != nullptr && list->is_array();
  if (single == nullptr && !has_list) return std::nullopt;
  std::vector<std::string> keys;
  const auto add = [&](const Json& value) {
    if (!value.is_array() && !value.is_object()) keys.push_back(value_key(value));
  };
  if (single != nullptr) {
    add(*single);
  } else {
    for (const Json& value : list->items()) add(value);
  }
  if (keys.size() < (single != nullptr ? 1 : list->items().size())) return std::nullopt;
  sort_items(keys, [](const std::string& a, const std::string& b) { return a < b; });
  return keys;
}

bool have_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) return true;
    ++(a[i] < b[j] ? i : j);
  }
  return false;
}

}  // namespace ambry::text
