// Which keys an object may have, and which schemas apply to the value of each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "text/grammar/form/grammar.h"
#include "text/grammar/schema/schema_compiler.h"

namespace ambry::text {

// The schemas that one schema has for keys that it lists, for keys that match a pattern, and for
// all others. nullptr: no schema.
struct KeyGroup {
  std::vector<std::pair<std::string_view, const SchemaNode*>> names;
  std::vector<std::pair<std::string_view, const SchemaNode*>> patterns;
  const SchemaNode* other = nullptr;
};

struct ListedKey {
  std::string_view name;
  bool is_required = false;
};

struct KeyPattern {
  std::string_view pattern;
  Intersection texts;
};

struct ObjectKeys {
  std::vector<KeyGroup> groups;
  std::vector<ListedKey> listed;        // in the order in which they are written
  std::vector<KeyPattern> patterns;     // all of the groups, each once
  std::string pattern_path;             // for errors
  SchemaNodes names;                    // the schemas of propertyNames
  std::optional<Grammar> name_grammar;  // the keys that fit them
  std::optional<Intersection> allowed_names;
  bool has_others = false;   // whether keys that are not listed may be written
  bool needs_other = false;  // whether there must be one

  // The schemas of this key's value; nothing when the key is not allowed.
  [[nodiscard]] std::optional<SchemaNodes> schemas_of(std::string_view name);
};

// Keys that the same schemas apply to.
struct KeyClass {
  Grammar::Expression written = Grammar::kNothing;  // in quotes, with the colon
  SchemaNodes schemas;
};

[[nodiscard]] Result<ObjectKeys> read_object_keys(SchemaCompiler& compiler,
                                                  const SchemaAlternative& alternative);
// The keys that are not listed, which have no escapes where no pattern or schema of keys is given.
[[nodiscard]] Result<std::vector<KeyClass>> key_classes(
    SchemaCompiler& compiler, const ObjectKeys& keys, const std::vector<std::string_view>& listed);

}  // namespace ambry::text
