// Whether a value can fit two schemas of a oneOf.
#include <string>
#include <utility>
#include <vector>

#include "text/grammar/schema/schema_compiler.h"

namespace ambry::text {
namespace {

using io::Json;

// A required property whose value is one of a few.
struct Mark {
  std::string property;
  std::vector<std::string> values;
};

struct AlternativeFacts {
  TypeSet types = kEveryType;
  bool has_values = false;
  std::vector<std::string> values;  // of const or enum
  std::vector<Mark> marks;
};

bool is_required(const Json& schema, const std::string& name) {
  const Json* list = schema.find("required");
  if (list == nullptr || !list->is_array()) return false;
  for (const Json& item : list->items()) {
    if (item.is_string() && item.string() == name) return true;
  }
  return false;
}

Result<AlternativeFacts> facts_of(SchemaSource& source, SchemaPlace place) {
  AMBRY_TRY(place, source.resolved(std::move(place)));
  AMBRY_RETURN_IF_ERROR(source.check(place));
  AlternativeFacts facts;
  AMBRY_TRY(facts.types, allowed_types(*place.schema, place.path));
  if (auto values = fixed_value_keys(*place.schema)) {
    facts.has_values = true;
    facts.values = std::move(*values);
  }
  const Json* properties = place.schema->find("properties");
  if (properties == nullptr || !properties->is_object()) return facts;
  for (const auto& [name, schema] : properties->members()) {
    if (!is_required(*place.schema, name)) continue;
    const std::string path = place.path + ".properties." + name;
    AMBRY_TRY(const SchemaPlace property, source.resolved({&schema, path}));
    auto values = fixed_value_keys(*property.schema);
    if (values) facts.marks.push_back({name, std::move(*values)});
  }
  return facts;
}

bool are_disjoint(const AlternativeFacts& a, const AlternativeFacts& b) {
  const TypeSet common = a.types & b.types;
  if (common == 0) return true;
  if (a.has_values && b.has_values && !have_common(a.values, b.values)) return true;
  if (common != kObject) return false;
  for (const Mark& x : a.marks) {
    for (const Mark& y : b.marks) {
      if (x.property == y.property && !have_common(x.values, y.values)) return true;
    }
  }
  return false;
}

}  // namespace

Result<void> check_disjoint(SchemaSource& source, const std::vector<SchemaPlace>& alternatives,
                            const std::string& path) {
  constexpr size_t kMaxAlternatives = 100;
  if (alternatives.size() > kMaxAlternatives) {
    return make_error(ErrorCode::LimitExceeded, path,
                      {"oneOf can have ", uint64_t{kMaxAlternatives}, " schemas at most"});
  }
  std::vector<AlternativeFacts> facts;
  for (const SchemaPlace& alternative : alternatives) {
    AMBRY_TRY(AlternativeFacts known, facts_of(source, alternative));
    for (size_t i = 0; i < facts.size(); ++i) {
      if (are_disjoint(facts[i], known)) continue;
      return make_error(
          ErrorCode::Unsupported, path,
          {"a value may fit both [", uint64_t{i}, "] and [", uint64_t{facts.size()},
           "]; oneOf is supported for different types, different values, and objects that differ ",
           "in a required property with const or enum. Use anyOf if the first that fits will do"});
    }
    facts.push_back(std::move(known));
  }
  return {};
}

}  // namespace ambry::text
