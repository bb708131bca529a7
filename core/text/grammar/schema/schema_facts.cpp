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

Result<TypeSet> read_types(const Json& type, const std::string& path) {
  if (!type.is_array()) return read_type(type, path);
  TypeSet types = 0;
  for (const Json& item : type.items()) {
    AMBRY_TRY(const TypeSet more, read_type(item, path));
    types |= more;
  }
  return types;
}

Result<TypeSet> allowed_types(const Json& schema, const std::string& path) {
  if (schema.is_bool()) return schema.boolean() ? kEveryType : TypeSet{0};
  TypeSet types = types_of_values(schema);
  if (const Json* type = schema.find("type")) {
    AMBRY_TRY(const TypeSet stated, read_types(*type, path + ".type"));
    types &= stated;
  }
  return types;
}

Result<TypeSet> written_types(const Json& schema, const std::string& path) {
  AMBRY_TRY(const TypeSet types, allowed_types(schema, path));
  if (schema.find("type") != nullptr) return types;
  TypeSet spoken_of = 0;
  for (const auto& [name, _] : schema.members()) {
    switch (keyword_use(name).value_or(KeywordUse::General)) {
      case KeywordUse::String:
        spoken_of |= kString;
        break;
      case KeywordUse::Number:
        spoken_of |= kInteger | kFraction;
        break;
      case KeywordUse::Array:
        spoken_of |= kArray;
        break;
      case KeywordUse::Object:
        spoken_of |= kObject;
        break;
      default:
        break;
    }
  }
  return spoken_of == 0 ? types : static_cast<TypeSet>(types & spoken_of);
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
