#include "text/grammar/schema/schema_source.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "text/grammar/schema/keywords.h"
#include "text/grammar/schema/schema_merge.h"

namespace ambry::text {
namespace {

using io::Json;

// Values in all joined schemas together.
constexpr size_t kMaxJoinedValues = size_t{1} << 18;
constexpr int kMaxReferences = 64;
// In one schema. Names are compared with each other.
constexpr size_t kMaxNames = 2000;

size_t n_values(const Json& value) {
  size_t n = 1;
  if (value.is_array()) {
    for (const Json& item : value.items()) n += n_values(item);
  } else if (value.is_object()) {
    for (const auto& [_, member] : value.members()) n += n_values(member);
  }
  return n;
}

// One part of a JSON pointer: %XX, ~0 and ~1 are replaced.
std::string pointer_part(std::string_view part) {
  std::string made;
  for (size_t i = 0; i < part.size(); ++i) {
    uint8_t byte = 0;
    if (part[i] == '%' && i + 2 < part.size() &&
        std::from_chars(part.data() + i + 1, part.data() + i + 3, byte, 16).ptr ==
            part.data() + i + 3) {
      made += static_cast<char>(byte);
      i += 2;
    } else {
      made += part[i];
    }
  }
  for (size_t at = 0; (at = made.find('~', at)) != std::string::npos; ++at) {
    const char next = at + 1 < made.size() ? made[at + 1] : '\0';
    if (next == '0' || next == '1') made.replace(at, 2, next == '0' ? "~" : "/");
  }
  return made;
}

const Json* member_of(const Json& value, const std::string& name) {
  if (!value.is_array()) return value.find(name);
  size_t index = 0;
  const char* end = name.data() + name.size();
  const auto [stop, problem] = std::from_chars(name.data(), end, index);
  const bool is_index = problem == std::errc() && stop == end && index < value.items().size();
  return is_index ? &value.items()[index] : nullptr;
}

Result<void> check_names(const SchemaPlace& place, const char* keyword) {
  const Json* names = place.schema->find(keyword);
  if (names == nullptr) return {};
  const size_t n_names = names->is_object()  ? names->members().size()
                         : names->is_array() ? names->items().size()
                                             : 0;
  if (n_names <= kMaxNames) return {};
  return make_error(ErrorCode::LimitExceeded, {place.path, ".", keyword},
                    {"a schema can name ", uint64_t{kMaxNames}, " properties at most"});
}

}  // namespace

Result<void> SchemaSource::check(const SchemaPlace& place) const {
  const Json& schema = *place.schema;
  if (schema.is_bool()) return {};
  if (!schema.is_object()) {
    return make_error(ErrorCode::BadValue, place.path, "a schema is an object, true or false");
  }
  for (const auto& [name, value] : schema.members()) {
    const auto use = keyword_use(name);
    if (use && use != KeywordUse::Refused) continue;
    if (name == "$id" && &schema == root_.schema) continue;
    return make_error(ErrorCode::Unsupported, {place.path, ".", name},
                      {"the keyword ", name, use ? " is not supported" : " is not known"});
  }
  AMBRY_RETURN_IF_ERROR(check_names(place, "properties"));
  return check_names(place, "required");
}

Result<SchemaPlace> SchemaSource::named(const Json& ref, const std::string& path) const {
  if (!ref.is_string()) return make_error(ErrorCode::BadValue, path, "$ref must be a string");
  const std::string& text = ref.string();
  if (text != "#" && !text.starts_with("#/")) {
    return make_error(ErrorCode::Unsupported, path,
                      {"only references into the same schema are supported, such as #/$defs/name, "
                       "not ",
                       text});
  }
  SchemaPlace place = root_;
  std::string_view rest = std::string_view(text).substr(1);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string part = pointer_part(rest.substr(0, rest.find('/')));
    rest.remove_prefix(std::min(rest.find('/'), rest.size()));
    place.schema = member_of(*place.schema, part);
    if (place.schema == nullptr) {
      return make_error(ErrorCode::NotFound, path, {"there is nothing at ", text});
    }
    place.path += "." + part;
  }
  return place;
}

Result<SchemaPlace> SchemaSource::resolved(SchemaPlace place) {
  for (int n = 0; n < kMaxReferences; ++n) {
    const Json* ref = place.schema->find("$ref");
    if (ref == nullptr) return place;
    AMBRY_TRY(SchemaPlace target, named(*ref, place.path + ".$ref"));
    AMBRY_TRY(const SchemaPlace beside, without(place, "$ref"));
    if (beside.schema->members().empty()) {
      place = std::move(target);
      continue;
    }
    AMBRY_RETURN_IF_ERROR(check(target));
    AMBRY_TRY(place, merge(target, beside));
  }
  return make_error(ErrorCode::BadValue, place.path + ".$ref",
                    "this reference leads to itself, or through too many others");
}

Result<SchemaPlace> SchemaSource::merge(const SchemaPlace& a, const SchemaPlace& b) {
  AMBRY_TRY(Json merged, merge_schemas(*a.schema, *b.schema, b.path));
  return keep(std::move(merged), b.path);
}

Result<SchemaPlace> SchemaSource::without(const SchemaPlace& place, std::string_view keyword) {
  return keep(constraints_without(*place.schema, keyword), place.path);
}

Result<SchemaPlace> SchemaSource::keep(Json schema, const std::string& path) {
  n_joined_values_ += n_values(schema);
  if (n_joined_values_ > kMaxJoinedValues) {
    return make_error(ErrorCode::LimitExceeded, path,
                      "too many schemas are combined; does one refer to itself?");
  }
  joined_.push_back(std::move(schema));
  return SchemaPlace{&joined_.back(), path};
}

}  // namespace ambry::text
