#include "text/grammar/schema/schema_source.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "text/grammar/schema/keywords.h"

namespace ambry::text {
namespace {

using io::Json;

// Characters of all schemas that are made of others.
constexpr size_t kMaxMadeSize = size_t{1} << 22;
// In one schema. Names are compared with each other.
constexpr size_t kMaxNames = 2000;

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

// The schemas below `value` in which the keyword has this text. Those below another $id have names
// of their own and are not looked at.
void find_marked(const Json& value, std::string_view keyword, std::string_view text,
                 std::vector<const Json*>& found) {
  const auto visit = [&](const Json& part) {
    const Json* mark = part.find(keyword);
    if (mark != nullptr && mark->is_string() && mark->string() == text) found.push_back(&part);
    if (part.find("$id") == nullptr) find_marked(part, keyword, text, found);
  };
  if (value.is_array()) {
    for (const Json& item : value.items()) visit(item);
  } else if (value.is_object()) {
    for (const auto& [_, member] : value.members()) visit(member);
  }
}

// Whether a reference below the value is relative to the document.
bool has_local_reference(const Json& value) {
  if (value.is_array()) return std::ranges::any_of(value.items(), has_local_reference);
  if (!value.is_object()) return false;
  return std::ranges::any_of(value.members(), [](const Json::Member& member) {
    const auto& [name, part] = member;
    const bool is_reference = name == "$ref" || name == "$dynamicRef";
    if (is_reference && part.is_string()) return part.string().starts_with('#');
    return has_local_reference(part);
  });
}

// A schema with a name of its own, as TypeBox writes what refers to itself. What would need the
// resolution of addresses is refused.
Result<void> check_id(const SchemaNode& node) {
  const Json* id = node.schema->find("$id");
  const bool is_plain = id->is_string() && id->string().find_first_of("/#") == std::string::npos;
  if (is_plain && !has_local_reference(*node.schema)) return {};
  return make_error(ErrorCode::Unsupported, node.path + ".$id",
                    "$id below the top is supported only as a plain name, for schemas without "
                    "references that begin with #");
}

Result<void> check_names(const SchemaNode& place, const char* keyword) {
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

const SchemaNode* SchemaSource::add(SchemaNode node) {
  nodes_.push_back(std::move(node));
  return &nodes_.back();
}

Result<const Json*> SchemaSource::made(Json schema, const std::string& path) {
  const std::string text = schema.dump();
  const WordInterner::Interned known =
      made_texts_.intern(std::vector<uint32_t>(text.begin(), text.end()));
  if (known.is_new) made_.push_back(std::move(schema));
  if (made_texts_.n_words() > kMaxMadeSize) {
    return make_error(ErrorCode::LimitExceeded, path,
                      "too many schemas are combined; does one refer to itself?");
  }
  return &made_[known.id];
}

Result<void> SchemaSource::check(const SchemaNode& node) const {
  const Json& schema = *node.schema;
  if (schema.is_bool()) return {};
  if (!schema.is_object()) {
    return make_error(ErrorCode::BadValue, node.path, "a schema is an object, true or false");
  }
  for (const auto& [name, value] : schema.members()) {
    const auto use = keyword_use(name);
    if (use && *use != KeywordUse::Refused) continue;
    return make_error(ErrorCode::Unsupported, {node.path, ".", name},
                      {"the keyword ", name, use ? " is not supported" : " is not known"});
  }
  if (schema.find("$id") != nullptr && &schema != root_.schema) {
    AMBRY_RETURN_IF_ERROR(check_id(node));
  }
  AMBRY_RETURN_IF_ERROR(check_names(node, "properties"));
  return check_names(node, "required");
}

Result<const Json*> SchemaSource::named(const Json& ref, bool is_dynamic,
                                        const std::string& path) const {
  if (!ref.is_string()) return make_error(ErrorCode::BadValue, path, "a reference is a string");
  std::string_view text = ref.string();
  const Json* id = root_.schema->find("$id");
  if (id != nullptr && id->is_string() && text.starts_with(id->string())) {
    const std::string_view rest = text.substr(id->string().size());
    if (rest.empty() || rest.starts_with('#')) text = rest;
  }
  if (text.empty() || text == "#") return root_.schema;
  std::vector<const Json*> found;
  if (text.starts_with("#/")) {
    const Json* value = root_.schema;
    for (std::string_view rest = text.substr(1); !rest.empty() && value != nullptr;) {
      rest.remove_prefix(1);
      const size_t length = std::min(rest.find('/'), rest.size());
      value = member_of(*value, pointer_part(rest.substr(0, length)));
      rest.remove_prefix(length);
    }
    if (value != nullptr) found.push_back(value);
  } else if (text.starts_with('#')) {
    if (!is_dynamic) find_marked(*root_.schema, "$anchor", text.substr(1), found);
    find_marked(*root_.schema, "$dynamicAnchor", text.substr(1), found);
    const Json* own = root_.schema->find("$dynamicAnchor");
    if (own != nullptr && own->is_string() && own->string() == text.substr(1)) {
      found.push_back(root_.schema);
    }
  } else {
    find_marked(*root_.schema, "$id", text, found);
  }
  if (found.size() == 1) return found[0];
  if (!text.starts_with('#') || !found.empty()) {
    return make_error(ErrorCode::Unsupported, path,
                      {"only references to one place within the same schema are supported, such as "
                       "#/$defs/name, not ",
                       text});
  }
  return make_error(ErrorCode::NotFound, path, {"there is nothing at ", text});
}

}  // namespace ambry::text
