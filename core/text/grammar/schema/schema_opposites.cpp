// What it means that a value does not fit a schema, keyword by keyword.
#include <algorithm>
#include <utility>

#include "text/grammar/schema/keywords.h"
#include "text/grammar/schema/schema_alternatives.h"

namespace ambry::text {
namespace {

using io::Json;

Json object_of(std::initializer_list<std::pair<const char*, Json>> members) {
  Json object = Json::object();
  for (const auto& [name, value] : members) object.append_member(name, value);
  return object;
}

Json opposite(const Json& schema) { return object_of({{"not", schema}}); }

class Opposites {
 public:
  Opposites(SchemaSource& source, const SchemaNode& node) : source_(source), node_(node) {}

  Result<std::vector<SchemaNodes>> read() {
    for (const auto& [name, value] : node_.schema->members()) {
      path_ = concat({node_.path, ".", name});
      AMBRY_RETURN_IF_ERROR(add(name, value));
    }
    return std::move(ways_);
  }

 private:
  // The other keywords' values are checked where they are applied.
  Result<void> add(const std::string& name, const Json& value) {
    if (name == "not") return way({&value});
    if (name == "$ref" || name == "$dynamicRef") {
      AMBRY_TRY(const Json* target, source_.named(value, name == "$dynamicRef", path_));
      ways_.push_back({apply(target, true)});
      return {};
    }
    if (name == "enum" || name == "const") return add_values(name, value);
    if (value.is_array()) {
      const auto& items = value.items();
      if (name == "allOf") {
        for (const Json& item : items) ways_.push_back({apply(&item, true)});
        return {};
      }
      if (name == "anyOf" || name == "oneOf") return add_any(name == "oneOf", items);
      if (name == "required") return add_required(items);
      if (name == "prefixItems" || name == "items") return add_prefix(items);
    }
    if (name == "if") return add_condition(value);
    if (name == "properties" && value.is_object()) return add_properties(value);
    const Json* prefix = node_.schema->find("prefixItems");
    const bool has_prefix = prefix != nullptr && prefix->is_array() && !prefix->items().empty();
    if (name == "items" && !has_prefix) {
      return made(object_of({{"type", "array"}, {"contains", opposite(value)}}));
    }
    const bool is_never = value.is_bool() && !value.boolean();
    if (name == "items" && is_never) {
      const uint64_t n_first = prefix->items().size();
      return made(object_of({{"type", "array"}, {"minItems", n_first + 1}, {"items", true}}));
    }
    const bool has_patterns = node_.schema->find("patternProperties") != nullptr;
    if (name == "additionalProperties" && is_never && !has_patterns) return add_negated(name);
    if (name == "contains") return add_contains(value);
    return add_simple(name, value);
  }

  Result<void> add_simple(const std::string& name, const Json& value) {
    constexpr std::string_view kNegated[] = {
        "type",   "minimum", "maximum",   "exclusiveMinimum", "exclusiveMaximum",
        "format", "pattern", "multipleOf"};
    if (std::ranges::count(kNegated, name) > 0) return add_negated(name);
    if (name.starts_with("min") || name.starts_with("max")) return add_count(name, value);
    const bool allows_all =
        value.is_bool() && (name == "uniqueItems" ? !value.boolean() : value.boolean());
    const KeywordUse use = keyword_use(name).value_or(KeywordUse::Annotation);
    const bool says_nothing = use == KeywordUse::Annotation || use == KeywordUse::Definitions ||
                              name == "then" || name == "else" || name == "nullable" || allows_all;
    if (says_nothing) return {};
    return make_error(ErrorCode::Unsupported, path_,
                      {"the opposite of ", name,
                       " cannot be written; avoid it in not, oneOf, if "
                       "and dependencies"});
  }

  // The opposite is known to what writes the type.
  Result<void> add_negated(std::string_view name) {
    ways_.push_back({source_.add({node_.schema, node_.path, true, name, &node_})});
    return {};
  }

  // A value that is none of these. Scalars are compared as they are.
  Result<void> add_values(const std::string& name, const Json& value) {
    SchemaNodes none = {source_.add({node_.schema, node_.path, true, name, &node_})};
    const bool is_list = name == "enum" && value.is_array();
    for (size_t i = 0; i < (is_list ? value.items().size() : 1); ++i) {
      const Json& item = is_list ? value.items()[i] : value;
      if (!item.is_array() && !item.is_object()) continue;
      AMBRY_TRY(const Json* schema, source_.made(schema_of_value(item), path_));
      none.push_back(apply(schema, true));
    }
    ways_.push_back(std::move(none));
    return {};
  }

  // No schema fits or, of oneOf, two of them.
  Result<void> add_any(bool is_one, const std::vector<Json>& items) {
    SchemaNodes none;
    for (const Json& item : items) none.push_back(apply(&item, true));
    ways_.push_back(std::move(none));
    for (size_t i = 0; is_one && i < items.size(); ++i) {
      for (size_t j = 0; j < i; ++j) AMBRY_RETURN_IF_ERROR(way({&items[j], &items[i]}));
    }
    return {};
  }

  Result<void> add_condition(const Json& condition) {
    const Json* then = node_.schema->find("then");
    const Json* otherwise = node_.schema->find("else");
    if (then != nullptr) ways_.push_back({apply(&condition, false), apply(then, true)});
    if (otherwise != nullptr) ways_.push_back({apply(&condition, true), apply(otherwise, true)});
    return {};
  }

  Result<void> add_required(const std::vector<Json>& names) {
    for (const Json& name : names) {
      if (!name.is_string()) continue;
      Json never = Json::object();
      never.set(name.string(), false);
      AMBRY_RETURN_IF_ERROR(made(object_of({{"type", "object"}, {"properties", never}})));
    }
    return {};
  }

  Result<void> add_properties(const Json& properties) {
    for (const auto& [name, schema] : properties.members()) {
      Json names = Json::array();
      names.append(name);
      Json wrong = Json::object();
      wrong.set(name, opposite(schema));
      AMBRY_RETURN_IF_ERROR(
          made(object_of({{"type", "object"}, {"required", names}, {"properties", wrong}})));
    }
    return {};
  }

  Result<void> add_prefix(const std::vector<Json>& items) {
    Json before = Json::array();
    for (const Json& item : items) {
      Json prefix = before;
      prefix.append(opposite(item));
      before.append(true);
      AMBRY_RETURN_IF_ERROR(made(object_of({{"type", "array"},
                                            {"minItems", uint64_t{prefix.items().size()}},
                                            {"prefixItems", prefix},
                                            {"items", true}})));
    }
    return {};
  }

  Result<void> add_contains(const Json& schema) {
    const Json* least = node_.schema->find("minContains");
    const Json* most = node_.schema->find("maxContains");
    const uint64_t n = least != nullptr && least->is_uint() ? least->uint() : 1;
    if (n == 1) {
      AMBRY_RETURN_IF_ERROR(made(object_of({{"type", "array"}, {"items", opposite(schema)}})));
    } else if (n > 1) {
      AMBRY_RETURN_IF_ERROR(made(object_of(
          {{"type", "array"}, {"contains", schema}, {"minContains", 0}, {"maxContains", n - 1}})));
    }
    if (most == nullptr || !most->is_uint()) return {};
    return made(
        object_of({{"type", "array"}, {"contains", schema}, {"minContains", most->uint() + 1}}));
  }

  // minLength, maxItems and the like: one less than the least, or one more than the most.
  Result<void> add_count(const std::string& name, const Json& value) {
    if (name.ends_with("Contains")) return {};  // said with contains
    if (!value.is_number() || value.number() < 0 || value.number() > 1e9) return {};
    const bool is_least = name.starts_with("min");
    const auto count = static_cast<uint64_t>(value.number());
    if (is_least && count == 0) return {};
    const char* type = name.ends_with("Length") ? "string" : "array";
    if (name.ends_with("Properties")) type = "object";
    Json schema = object_of({{"type", type}});
    schema.set((is_least ? "max" : "min") + name.substr(3), is_least ? count - 1 : count + 1);
    return made(std::move(schema));
  }

  Result<void> made(Json schema) {
    AMBRY_TRY(const Json* kept, source_.made(std::move(schema), path_));
    return way({kept});
  }

  Result<void> way(std::initializer_list<const Json*> schemas) {
    SchemaNodes nodes;
    for (const Json* schema : schemas) nodes.push_back(apply(schema, false));
    ways_.push_back(std::move(nodes));
    return {};
  }

  const SchemaNode* apply(const Json* schema, bool is_negated) {
    return source_.add({schema, path_, is_negated, {}, &node_});
  }

  SchemaSource& source_;
  const SchemaNode& node_;
  std::string path_;
  std::vector<SchemaNodes> ways_;
};

}  // namespace

Result<std::vector<SchemaNodes>> opposites_of(SchemaSource& source, const SchemaNode& node) {
  return Opposites(source, node).read();
}

Json schema_of_value(const Json& value) {
  Json names = Json::array();
  Json parts = value.is_array() ? Json::array() : Json::object();
  if (value.is_array()) {
    for (const Json& item : value.items()) parts.append(object_of({{"const", item}}));
    const uint64_t count = value.items().size();
    if (count == 0) return object_of({{"type", "array"}, {"maxItems", 0}});
    return object_of(
        {{"type", "array"}, {"prefixItems", parts}, {"items", false}, {"minItems", count}});
  }
  for (const auto& [name, member] : value.members()) {
    names.append(name);
    parts.append_member(name, object_of({{"const", member}}));
  }
  return object_of({{"type", "object"},
                    {"properties", parts},
                    {"required", names},
                    {"additionalProperties", false}});
}

}  // namespace ambry::text
