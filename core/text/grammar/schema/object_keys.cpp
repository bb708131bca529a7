#include "text/grammar/schema/object_keys.h"

#include <algorithm>

#include "text/grammar/schema/json_text.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using io::Json;

constexpr size_t kMaxPatterns = 6;

class KeyReader {
 public:
  KeyReader(SchemaCompiler& compiler, const SchemaAlternative& alternative)
      : compiler_(compiler), alternative_(alternative) {}

  Result<ObjectKeys> read() {
    for (const SchemaNode* node : alternative_.nodes) {
      const bool is_whole = !node->is_negated && node->keyword.empty();
      if (is_whole) AMBRY_RETURN_IF_ERROR(read_group(*node));
    }
    for (const SchemaNode* node : alternative_.with("unevaluatedProperties")) add_rest(*node);
    for (const SchemaNode* node : alternative_.with("additionalProperties", true)) {
      keys_.needs_other = true;
      const Json* own = node->schema->find("properties");
      if (own == nullptr || !own->is_object()) continue;
      for (const auto& [name, _] : own->members()) list(name, false);
    }
    AMBRY_RETURN_IF_ERROR(read_names());
    // Required keys that are not listed come last.
    for (const SchemaNode* node : alternative_.with("required")) {
      AMBRY_RETURN_IF_ERROR(read_required(*node));
    }
    AMBRY_RETURN_IF_ERROR(read_patterns());
    keys_.has_others = states_others_ || !lists_any_ || keys_.needs_other;
    return std::move(keys_);
  }

 private:
  static Failure bad(const SchemaNode& node, const char* keyword, const char* message) {
    return make_error(ErrorCode::BadValue, {node.path, ".", keyword}, message);
  }

  const SchemaNode* child(const SchemaNode& node, const Json& schema, const char* keyword,
                          std::string_view name) {
    std::string path = concat({node.path, ".", keyword});
    if (!name.empty()) path += "." + std::string(name);
    return compiler_.source().add({&schema, std::move(path), false, {}, nullptr});
  }

  void list(std::string_view name, bool is_required) {
    const auto known = std::ranges::find(keys_.listed, name, &ListedKey::name);
    if (known == keys_.listed.end()) {
      keys_.listed.push_back({name, is_required});
    } else {
      known->is_required = known->is_required || is_required;
    }
  }

  Result<void> read_group(const SchemaNode& node) {
    const Json& schema = *node.schema;
    KeyGroup group;
    if (const Json* listed = schema.find("properties")) {
      if (!listed->is_object()) {
        return bad(node, "properties", "properties must be an object of schemas");
      }
      for (const auto& [name, value] : listed->members()) {
        list(name, false);
        lists_any_ = lists_any_ || !value.is_bool() || value.boolean();
        group.names.emplace_back(name, child(node, value, "properties", name));
      }
    }
    if (const Json* patterns = schema.find("patternProperties")) {
      if (!patterns->is_object()) {
        return bad(node, "patternProperties", "patternProperties must be an object of schemas");
      }
      states_others_ = states_others_ || !patterns->members().empty();
      for (const auto& [pattern, value] : patterns->members()) {
        group.patterns.emplace_back(pattern, child(node, value, "patternProperties", pattern));
      }
    }
    if (const Json* other = schema.find("additionalProperties")) {
      states_others_ = true;
      group.other = child(node, *other, "additionalProperties", "");
    }
    keys_.groups.push_back(std::move(group));
    return {};
  }

  // The keys that no schema has looked at which the node applies to the same object. A schema whose
  // opposite is meant looks at nothing.
  void add_rest(const SchemaNode& node) {
    KeyGroup group;
    const char* keyword = "unevaluatedProperties";
    states_others_ = true;
    group.other = child(node, *node.schema->find(keyword), keyword, "");
    for (const SchemaNode* part : alternative_.nodes) {
      if (!is_applied_by(*part, node)) continue;
      const Json& schema = *part->schema;
      const bool looks_at_all = schema.find("additionalProperties") != nullptr ||
                                (part != &node && schema.find(keyword) != nullptr);
      if (looks_at_all) return;
      for (const char* listing : {"properties", "patternProperties"}) {
        const Json* listed = schema.find(listing);
        if (listed == nullptr) continue;
        auto& into = listing[1] == 'r' ? group.names : group.patterns;
        for (const auto& [name, _] : listed->members()) into.emplace_back(name, nullptr);
      }
    }
    keys_.groups.push_back(std::move(group));
  }

  Result<void> read_required(const SchemaNode& node) {
    const char* message = "required must be a list of names";
    const Json& names = *node.schema->find("required");
    if (!names.is_array()) return bad(node, "required", message);
    for (const Json& name : names.items()) {
      if (!name.is_string()) return bad(node, "required", message);
      list(name.string(), true);
      lists_any_ = true;
    }
    return {};
  }

  // The names of an enum are listed, so that each is written once.
  Result<void> read_names() {
    for (const SchemaNode* node : alternative_.with("propertyNames")) {
      const Json& schema = *node->schema->find("propertyNames");
      keys_.names.push_back(child(*node, schema, "propertyNames", ""));
      states_others_ = true;
      const Json* names = schema.find("enum");
      if (names == nullptr || !names->is_array()) continue;
      for (const Json& name : names->items()) {
        if (name.is_string()) list(name.string(), false);
      }
    }
    if (keys_.names.empty()) return {};
    AMBRY_TRY(keys_.name_grammar, compiler_.keys_of(keys_.names));
    keys_.allowed_names.emplace(keys_.names[0]->path);
    AMBRY_RETURN_IF_ERROR(keys_.allowed_names->add(*keys_.name_grammar, Belongs::Yes));
    return compiler_.pay_for(*keys_.allowed_names);
  }

  Result<void> read_patterns() {
    for (const KeyGroup& group : keys_.groups) {
      for (const auto& [pattern, node] : group.patterns) {
        if (std::ranges::count(keys_.patterns, pattern, &KeyPattern::pattern) > 0) continue;
        // Keys that unevaluatedProperties leaves out are those of another group.
        if (keys_.patterns.size() == kMaxPatterns) {
          return make_error(ErrorCode::LimitExceeded, keys_.pattern_path,
                            {"an object can have ", uint64_t{kMaxPatterns}, " patterns at most"});
        }
        const std::string path = node == nullptr ? keys_.pattern_path : node->path;
        keys_.pattern_path = path;
        keys_.patterns.push_back({pattern, Intersection(path)});
        AMBRY_RETURN_IF_ERROR(
            add_pattern(keys_.patterns.back().texts, Json(pattern), path, Belongs::Yes));
        AMBRY_RETURN_IF_ERROR(compiler_.pay_for(keys_.patterns.back().texts));
      }
    }
    return {};
  }

  SchemaCompiler& compiler_;
  const SchemaAlternative& alternative_;
  ObjectKeys keys_;
  bool states_others_ = false;  // whether a keyword speaks of keys that are not listed
  bool lists_any_ = false;
};

// The schemas of a key by the patterns that it matches; nullptr stands for keys that are not
// listed.
template <class Matches>
SchemaNodes schemas_by(const ObjectKeys& keys, const std::string_view* name,
                       const Matches& matches) {
  SchemaNodes schemas;
  for (const KeyGroup& group : keys.groups) {
    bool is_found = false;
    const auto take = [&](const SchemaNode* node) {
      is_found = true;
      if (node != nullptr) schemas.push_back(node);
    };
    for (const auto& [listed, node] : group.names) {
      if (name != nullptr && listed == *name) take(node);
    }
    for (const auto& [pattern, node] : group.patterns) {
      if (matches(pattern)) take(node);
    }
    if (!is_found && group.other != nullptr) schemas.push_back(group.other);
  }
  return schemas;
}

// All keys but those that are listed, as far as propertyNames allows them.
Result<void> add_key_texts(Intersection& texts, const ObjectKeys& keys,
                           const std::vector<std::string_view>& listed) {
  if (keys.name_grammar) AMBRY_RETURN_IF_ERROR(texts.add(*keys.name_grammar, Belongs::Yes));
  AMBRY_RETURN_IF_ERROR(
      add_written(texts, Belongs::Yes, [](Grammar& grammar) -> Result<Expression> {
        return grammar.repeat(json_char(grammar, CodePointSet::all()), 0, Grammar::kUnbounded);
      }));
  return add_written(texts, Belongs::No, [&](Grammar& grammar) -> Result<Expression> {
    std::vector<Expression> names;
    names.reserve(listed.size());
    for (const std::string_view name : listed) names.push_back(grammar.literal(json_content(name)));
    return grammar.choice(names);
  });
}

}  // namespace

std::optional<SchemaNodes> ObjectKeys::schemas_of(std::string_view name) {
  const std::string content = json_content(name);
  if (allowed_names && !allowed_names->has(content)) return std::nullopt;
  return schemas_by(*this, &name, [&](std::string_view pattern) {
    return std::ranges::find(patterns, pattern, &KeyPattern::pattern)->texts.has(content);
  });
}

Result<ObjectKeys> read_object_keys(SchemaCompiler& compiler,
                                    const SchemaAlternative& alternative) {
  return KeyReader(compiler, alternative).read();
}

Result<std::vector<KeyClass>> key_classes(SchemaCompiler& compiler, const ObjectKeys& keys,
                                          const std::vector<std::string_view>& listed) {
  const size_t n_patterns = keys.patterns.size();
  Grammar& grammar = compiler.grammar();
  std::vector<KeyClass> classes;
  for (uint32_t chosen = 0; chosen < uint32_t{1} << n_patterns; ++chosen) {
    const auto matches = [&](std::string_view pattern) {
      const auto at = std::ranges::find(keys.patterns, pattern, &KeyPattern::pattern);
      return (chosen >> (at - keys.patterns.begin()) & 1) != 0;
    };
    SchemaNodes schemas = schemas_by(keys, nullptr, matches);
    const auto never = [](const SchemaNode* node) {
      return node->schema->is_bool() && !node->schema->boolean();
    };
    if (std::ranges::any_of(schemas, never)) continue;
    if (n_patterns == 0 && !keys.name_grammar) {
      classes.push_back({json_key_except(grammar, listed), std::move(schemas)});
      continue;
    }
    Intersection texts(keys.pattern_path);
    AMBRY_RETURN_IF_ERROR(add_key_texts(texts, keys, listed));
    for (const KeyPattern& pattern : keys.patterns) {
      const Belongs belongs = matches(pattern.pattern) ? Belongs::Yes : Belongs::No;
      AMBRY_RETURN_IF_ERROR(add_pattern(texts, Json(pattern.pattern), keys.pattern_path, belongs));
    }
    AMBRY_TRY(const Expression key, compiler.texts_of(texts));
    if (key == Grammar::kNothing) continue;
    classes.push_back({grammar.sequence({grammar.literal("\""), key, grammar.literal("\":"),
                                         json_space(grammar)}),
                       std::move(schemas)});
  }
  return classes;
}

}  // namespace ambry::text
