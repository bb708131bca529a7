// What const and enum list and exclude, as far as these are scalars.
#include <algorithm>
#include <utility>

#include "text/grammar/schema/schema_alternatives.h"

namespace ambry::text {
namespace {

// The scalars that a const or enum lists.
std::vector<io::Json> scalars_of(const SchemaNode& node) {
  const io::Json& value = *node.schema->find(node.keyword);
  std::vector<io::Json> scalars;
  for (const io::Json& item :
       node.keyword == "enum" && value.is_array() ? value.items() : std::vector<io::Json>{value}) {
    if (!item.is_array() && !item.is_object()) scalars.push_back(item);
  }
  return scalars;
}

SchemaNodes nodes_with_values(const SchemaAlternative& alternative, bool is_negated) {
  SchemaNodes nodes = alternative.with("enum", is_negated);
  for (const SchemaNode* node : alternative.with("const", is_negated)) nodes.push_back(node);
  return nodes;
}

bool has_value(const std::vector<io::Json>& list, const io::Json& value) {
  return std::ranges::any_of(
      list, [&](const io::Json& item) { return value_key(item) == value_key(value); });
}

}  // namespace

std::optional<std::vector<io::Json>> listed_scalars(const SchemaAlternative& alternative) {
  std::optional<std::vector<io::Json>> listed;
  for (const SchemaNode* node : nodes_with_values(alternative, false)) {
    std::vector<io::Json> scalars = scalars_of(*node);
    if (listed) {
      std::erase_if(scalars, [&](const io::Json& value) { return !has_value(*listed, value); });
    }
    listed = std::move(scalars);
  }
  return listed;
}

std::vector<io::Json> excluded_scalars(const SchemaAlternative& alternative) {
  std::vector<io::Json> excluded;
  for (const SchemaNode* node : nodes_with_values(alternative, true)) {
    for (const io::Json& value : scalars_of(*node)) excluded.push_back(value);
  }
  return excluded;
}

bool allows_scalar(const SchemaAlternative& alternative, const io::Json& value) {
  const auto listed = listed_scalars(alternative);
  if (listed && !has_value(*listed, value)) return false;
  return !has_value(excluded_scalars(alternative), value);
}

}  // namespace ambry::text
