// Which schemas of a oneOf a value may fit together.
#include <string>
#include <utility>
#include <vector>

#include "text/grammar/schema/schema_alternatives.h"

namespace ambry::text {
namespace {

using io::Json;

// A required property whose value is one of a few.
struct Mark {
  std::string property;
  std::vector<std::string> values;
};

// Work on one schema, and what is compared of it. Facts that are left out make two schemas overlap.
constexpr size_t kMaxParts = 256;
constexpr size_t kMaxMarks = 32;

struct AlternativeFacts {
  TypeSet types = kEveryType;
  bool has_values = false;
  std::vector<std::string> values;  // of const or enum
  std::vector<Mark> marks;
  size_t n_parts = 0;
};

bool is_required(const Json& schema, const std::string& name) {
  const Json* list = schema.find("required");
  if (list == nullptr || !list->is_array()) return false;
  for (const Json& item : list->items()) {
    if (item.is_string() && item.string() == name) return true;
  }
  return false;
}

// What the schema says by itself, by what its $ref names and by allOf.
Result<void> add_facts(const SchemaSource& source, const Json& schema, const std::string& path,
                       unsigned depth, AlternativeFacts& facts) {
  constexpr unsigned kMaxDepth = 16;
  const bool is_schema = schema.is_object() || schema.is_bool();
  if (depth > kMaxDepth || !is_schema || facts.n_parts++ > kMaxParts) return {};
  AMBRY_TRY(const TypeSet types, allowed_types(schema, path));
  facts.types &= types;
  if (auto values = fixed_value_keys(schema); values && !facts.has_values) {
    facts.has_values = true;
    facts.values = std::move(*values);
  }
  const Json* properties = schema.find("properties");
  if (properties != nullptr && properties->is_object()) {
    for (const auto& [name, property] : properties->members()) {
      if (facts.marks.size() == kMaxMarks || !is_required(schema, name)) continue;
      AlternativeFacts inner;
      AMBRY_RETURN_IF_ERROR(add_facts(source, property, path, depth + kMaxDepth - 4, inner));
      if (inner.has_values) facts.marks.push_back({name, std::move(inner.values)});
    }
  }
  if (const Json* ref = schema.find("$ref")) {
    AMBRY_TRY(const Json* target, source.named(*ref, false, path + ".$ref"));
    AMBRY_RETURN_IF_ERROR(add_facts(source, *target, path, depth + 1, facts));
  }
  const Json* all = schema.find("allOf");
  if (all == nullptr || !all->is_array()) return {};
  for (const Json& part : all->items()) {
    AMBRY_RETURN_IF_ERROR(add_facts(source, part, path, depth + 1, facts));
  }
  return {};
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

Result<std::vector<std::vector<size_t>>> overlaps(SchemaSource& source, const SchemaNode& node) {
  const std::vector<Json>& schemas = node.schema->find("oneOf")->items();
  const std::string path = node.path + ".oneOf";
  constexpr size_t kMaxSchemas = 200;
  if (schemas.size() > kMaxSchemas) {
    return make_error(ErrorCode::LimitExceeded, path,
                      {"oneOf can have ", uint64_t{kMaxSchemas}, " schemas at most"});
  }
  std::vector<AlternativeFacts> facts(schemas.size());
  std::vector<std::vector<size_t>> others(schemas.size());
  for (size_t i = 0; i < schemas.size(); ++i) {
    AMBRY_RETURN_IF_ERROR(add_facts(source, schemas[i], path, 0, facts[i]));
    for (size_t j = 0; j < i; ++j) {
      if (are_disjoint(facts[i], facts[j])) continue;
      others[i].push_back(j);
      others[j].push_back(i);
    }
  }
  return others;
}

}  // namespace ambry::text
