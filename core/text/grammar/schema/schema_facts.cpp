#include "text/grammar/schema/schema_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

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

std::optional<std::string> value_key(const Json& value) {
  if (value.is_array() || value.is_object()) return std::nullopt;
  return value.is_number() ? Json(value.number()).dump() : value.dump();
}

std::optional<std::vector<std::string>> fixed_value_keys(const Json& schema) {
  const Json* list = schema.find("enum");
  const Json* single = schema.find("const");
  std::vector<std::string> keys;
  if (single != nullptr) {
    const auto key = value_key(*single);
    if (!key) return std::nullopt;
    return std::vector<std::string>{*key};
  }
  if (list == nullptr || !list->is_array()) return std::nullopt;
  for (const Json& value : list->items()) {
    const auto key = value_key(value);
    if (!key) return std::nullopt;
    keys.push_back(*key);
  }
  return keys;
}

bool have_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& x) { return std::ranges::count(b, x) > 0; });
}

}  // namespace ambry::text
