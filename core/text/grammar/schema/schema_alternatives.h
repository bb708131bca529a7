// What a schema allows, as alternatives. Each is a list of schemas that a value fits all together,
// in which nothing is left of references, allOf, anyOf, oneOf, not, if and dependencies.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/grammar/schema/schema_facts.h"
#include "text/grammar/schema/schema_source.h"

namespace ambry::text {

struct SchemaAlternative {
  SchemaNodes nodes;
  TypeSet types = kEveryType;
  bool states_types = false;  // whether `types` is stated rather than everything

  // The nodes that have this keyword, which counts. A negated node has one keyword.
  [[nodiscard]] SchemaNodes with(std::string_view keyword, bool is_negated = false) const;
  [[nodiscard]] bool has(std::string_view keyword) const { return !with(keyword).empty(); }
};

// Whether the schema `by` applies the part to the same value, and so counts as having looked at
// what the part looks at.
[[nodiscard]] bool is_applied_by(const SchemaNode& part, const SchemaNode& by);

// Values that const and enum list, and that all schemas of the alternative list. Nothing when none
// of them lists any.
[[nodiscard]] std::optional<std::vector<io::Json>> listed_scalars(
    const SchemaAlternative& alternative);
// The scalars that const and enum of negated schemas exclude.
[[nodiscard]] std::vector<io::Json> excluded_scalars(const SchemaAlternative& alternative);
// Whether const and enum allow this value, which is null, true or false.
[[nodiscard]] bool allows_scalar(const SchemaAlternative& alternative, const io::Json& value);

// The alternatives of a value that fits all these. BadValue for a reference that leads to itself,
// Unsupported for keywords whose opposite cannot be written, LimitExceeded for too many
// alternatives.
[[nodiscard]] Result<std::vector<SchemaAlternative>> alternatives_of(SchemaSource& source,
                                                                     const SchemaNodes& all_of);

// The ways in which a value can fail to fit a schema that is an object: one list of nodes each.
[[nodiscard]] Result<std::vector<SchemaNodes>> opposites_of(SchemaSource& source,
                                                            const SchemaNode& node);

// A schema that only this list or object fits.
[[nodiscard]] io::Json schema_of_value(const io::Json& value);

// For each schema of a oneOf: the later and earlier ones that may allow the same value.
[[nodiscard]] Result<std::vector<std::vector<size_t>>> overlaps(SchemaSource& source,
                                                                const SchemaNode& node);

}  // namespace ambry::text
