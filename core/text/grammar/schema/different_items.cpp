#include "text/grammar/schema/different_items.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "text/grammar/schema/json_text.h"
#include "text/grammar/schema/keywords.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using io::Json;

// Adds the values of a schema that only lists values, also behind references and in anyOf. False
// when there is another one.
Result<bool> add_values(const SchemaSource& source, const Json& schema, const std::string& path,
                        unsigned depth, size_t& n_left, std::vector<Json>& values) {
  constexpr unsigned kMaxDepth = 8;
  if (depth > kMaxDepth || n_left == 0 || !schema.is_object()) return false;
  --n_left;
  AMBRY_TRY(const TypeSet types, stated_types(schema, path));
  const size_t n_before = values.size();
  for (const auto& [name, value] : schema.members()) {
    if (name == "type" || keyword_use(name) == KeywordUse::Annotation) continue;
    const bool is_list = value.is_array() && (name == "enum" || name == "anyOf");
    if (values.size() > n_before || (name != "const" && name != "$ref" && !is_list)) return false;
    if (name == "const") {
      values.push_back(value);
    } else if (name == "enum") {
      values.insert(values.end(), value.items().begin(), value.items().end());
    } else if (name == "$ref") {
      AMBRY_TRY(const Json* target, source.named(value, false, path));
      AMBRY_TRY(const bool is_plain, add_values(source, *target, path, depth + 1, n_left, values));
      if (!is_plain) return false;
    } else {
      for (const Json& part : value.items()) {
        AMBRY_TRY(const bool is_plain, add_values(source, part, path, depth + 1, n_left, values));
        if (!is_plain) return false;
      }
    }
  }
  const auto fits = [&](const Json& value) { return (type_of(value) & types) != 0; };
  const auto first = values.begin() + static_cast<ptrdiff_t>(n_before);
  return first != values.end() && std::all_of(first, values.end(), fits);
}

// Lists and objects may be equal though they are written differently.
bool are_different(const std::vector<Json>& values) {
  return std::ranges::all_of(values, [&](const Json& value) {
    const auto is_same = [&](const Json& other) { return value_key(other) == value_key(value); };
    return !value.is_object() && !value.is_array() && std::ranges::count_if(values, is_same) == 1;
  });
}

// From the last value to the first: what is written from it on, after `n` others.
Result<Expression> in_order(SchemaCompiler& compiler, const std::vector<Json>& values,
                            const Counts& counts, const std::string& path) {
  Grammar& grammar = compiler.grammar();
  const auto n_values = static_cast<uint32_t>(values.size());
  if (counts.least > n_values) return Grammar::kNothing;
  const uint32_t most = std::min(counts.most, n_values);
  const Expression comma = json_comma(grammar);
  constexpr uint32_t kMaxRules = 20'000;
  const uint32_t n_counted = most < n_values ? most : std::max(counts.least, 1U);
  if (n_counted * n_values > kMaxRules) {
    return make_error(ErrorCode::LimitExceeded, path, "too many different items to count");
  }
  std::vector<Expression> after;
  for (uint32_t n = 0; n <= n_counted; ++n) {
    after.push_back(n >= counts.least ? Grammar::kEmpty : Grammar::kNothing);
  }
  for (uint32_t i = n_values; i-- > 0;) {
    const Expression value = json_value(grammar, values[i]);
    std::vector<Expression> here = after;
    for (uint32_t n = 0; n <= n_counted; ++n) {
      if (n == n_counted && most < n_values) continue;
      const Expression written = grammar.sequence(
          {n > 0 ? comma : Grammar::kEmpty, value, after[std::min(n + 1, n_counted)]});
      here[n] = compiler.as_rule(grammar.choice({written, after[n]}), path);
    }
    after = std::move(here);
  }
  return after[0];
}

}  // namespace

Result<Expression> compile_different_items(SchemaCompiler& compiler, const SchemaNode& item,
                                           const Counts& counts, const std::string& path) {
  std::vector<Json> values;
  size_t n_left = 4096;
  AMBRY_TRY(const bool is_plain,
            add_values(compiler.source(), *item.schema, item.path, 0, n_left, values));
  constexpr size_t kMaxValues = 1000;
  if (!is_plain || values.size() > kMaxValues || !are_different(values)) {
    return cannot_differ(path);
  }
  return in_order(compiler, values, counts, path);
}

Failure cannot_differ(const std::string& path) {
  return make_error(ErrorCode::Unsupported, path,
                    "uniqueItems is supported only for items of an enum, and with maxItems of 1 or "
                    "less");
}

}  // namespace ambry::text
