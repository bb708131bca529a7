// Strings, numbers and lists.
#include <algorithm>
#include <string>
#include <vector>

#include "text/grammar/form/form_limits.h"
#include "text/grammar/form/regex.h"
#include "text/grammar/schema/json_text.h"
#include "text/grammar/schema/number_range.h"
#include "text/grammar/schema/schema_compiler.h"
#include "text/grammar/schema/string_formats.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using io::Json;

// The integer of 0 or more, which may be written as 3.0; without the keyword the fallback.
Result<uint64_t> read_number_of(const SchemaPlace& place, const char* keyword, uint64_t fallback) {
  const Json* value = place.schema->find(keyword);
  if (value == nullptr) return fallback;
  const bool is_count = value->is_number() && value->number() >= 0 && type_of(*value) == kInteger;
  if (!is_count) {
    return make_error(ErrorCode::BadValue, {place.path, ".", keyword},
                      {keyword, " must be an integer of 0 or more"});
  }
  return static_cast<uint64_t>(std::min(value->number(), 1e15));
}

Expression in_quotes(Grammar& grammar, Expression content) {
  const Expression quote = grammar.literal("\"");
  return grammar.sequence({quote, content, quote});
}

Result<Expression> compile_pattern(Grammar& grammar, const Json& pattern, const std::string& path) {
  if (!pattern.is_string())
    return make_error(ErrorCode::BadValue, path, "pattern must be a string");
  return parse_regex(grammar, pattern.string(), path, RegexMatch::Somewhere, json_char);
}

Result<Expression> compile_format(Grammar& grammar, const Json& format, const std::string& path) {
  const auto content = format.is_string() ? string_format(grammar, format.string()) : std::nullopt;
  if (content) return *content;
  return make_error(
      ErrorCode::Unsupported, path,
      {"the format ", format.dump(), " is not supported; these are: ", string_format_names()});
}

// The bounds that are stated by two keywords. Of two lower ones the larger counts.
Result<std::optional<NumberBound>> tighter_bound(const SchemaPlace& place, const char* inclusive,
                                                 const char* exclusive, bool is_lower) {
  const Json* a = place.schema->find(inclusive);
  const Json* b = place.schema->find(exclusive);
  const Json* chosen = b == nullptr ? a : b;
  if (chosen == nullptr) return std::optional<NumberBound>();
  if (a != nullptr && b != nullptr && a->is_number() && b->is_number()) {
    chosen = is_lower == (a->number() > b->number()) && a->number() != b->number() ? a : b;
  }
  const bool excludes = chosen == b;
  const std::string path = place.path + "." + (excludes ? exclusive : inclusive);
  AMBRY_TRY(NumberBound bound, read_bound(*chosen, excludes, path));
  return std::optional(std::move(bound));
}

struct ArrayParts {
  std::vector<Expression> first;  // the items with schemas of their own
  Expression other = Grammar::kNothing;
};

Result<ArrayParts> read_array_parts(SchemaCompiler& compiler, const SchemaPlace& place) {
  const Json* prefix = place.schema->find("prefixItems");
  const Json* items = place.schema->find("items");
  const Json* additional = nullptr;
  const char* prefix_name = "prefixItems";
  const char* items_name = "items";
  if (items != nullptr && items->is_array()) {  // as until draft 2019-09
    if (prefix != nullptr) {
      return make_error(ErrorCode::BadValue, place.path + ".items",
                        "items must be a schema beside prefixItems");
    }
    additional = place.schema->find("additionalItems");
    prefix = items;
    items = additional;
    prefix_name = "items";
    items_name = "additionalItems";
  }
  ArrayParts parts;
  if (prefix != nullptr) {
    if (!prefix->is_array()) {
      return make_error(ErrorCode::BadValue, {place.path, ".", prefix_name},
                        {prefix_name, " must be a list of schemas"});
    }
    for (size_t i = 0; i < prefix->items().size(); ++i) {
      const std::string path = place.path + "." + prefix_name + "[" + std::to_string(i) + "]";
      parts.first.push_back(compiler.value_of({&prefix->items()[i], path}));
    }
  }
  if (items != nullptr) {
    parts.other = compiler.value_of({items, place.path + "." + items_name});
  } else if (prefix == nullptr) {
    parts.other = compiler.any_value();
  }
  return parts;
}

}  // namespace

Result<uint32_t> read_least(const SchemaPlace& place, const char* keyword) {
  AMBRY_TRY(const uint64_t least, read_number_of(place, keyword, 0));
  if (least <= kMaxRepetitions) return static_cast<uint32_t>(least);
  return make_error(ErrorCode::LimitExceeded, {place.path, ".", keyword},
                    {keyword, " can be ", kMaxRepetitions, " at most"});
}

Result<uint32_t> read_most(const SchemaPlace& place, const char* keyword) {
  if (place.schema->find(keyword) == nullptr) return Grammar::kUnbounded;
  AMBRY_TRY(const uint64_t most, read_number_of(place, keyword, 0));
  return static_cast<uint32_t>(std::min<uint64_t>(most, kMaxRepetitions));
}

Result<Expression> compile_string(SchemaCompiler& compiler, const SchemaPlace& place) {
  Grammar& grammar = compiler.grammar();
  const Json* pattern = place.schema->find("pattern");
  const Json* format = place.schema->find("format");
  const bool has_lengths =
      place.schema->find("minLength") != nullptr || place.schema->find("maxLength") != nullptr;
  if (pattern != nullptr && (format != nullptr || has_lengths)) {
    return make_error(ErrorCode::Unsupported, place.path + ".pattern",
                      "pattern cannot be combined with format, minLength or maxLength");
  }
  if (format != nullptr && has_lengths) {
    return make_error(ErrorCode::Unsupported, place.path + ".format",
                      "format cannot be combined with minLength or maxLength");
  }
  Expression content = Grammar::kNothing;
  if (pattern != nullptr) {
    AMBRY_TRY(content, compile_pattern(grammar, *pattern, place.path + ".pattern"));
    return in_quotes(grammar, content);
  }
  if (format != nullptr) {
    AMBRY_TRY(content, compile_format(grammar, *format, place.path + ".format"));
    return in_quotes(grammar, content);
  }
  if (!has_lengths) return compiler.any_string();
  AMBRY_TRY(const uint32_t least, read_least(place, "minLength"));
  AMBRY_TRY(const uint32_t most, read_most(place, "maxLength"));
  if (least > most) return Grammar::kNothing;
  return in_quotes(grammar, grammar.repeat(any_json_char(grammar), least, most));
}

Result<Expression> compile_number(SchemaCompiler& compiler, const SchemaPlace& place,
                                  TypeSet types) {
  NumberRange range;
  AMBRY_TRY(range.lower, tighter_bound(place, "minimum", "exclusiveMinimum", true));
  AMBRY_TRY(range.upper, tighter_bound(place, "maximum", "exclusiveMaximum", false));
  Grammar& grammar = compiler.grammar();
  return (types & kFraction) != 0 ? numbers_in(grammar, range) : integers_in(grammar, range);
}

Result<Expression> compile_array(SchemaCompiler& compiler, const SchemaPlace& place) {
  Grammar& grammar = compiler.grammar();
  AMBRY_TRY(const uint32_t least, read_least(place, "minItems"));
  AMBRY_TRY(const uint32_t most, read_most(place, "maxItems"));
  if (least > most) return Grammar::kNothing;
  const Json* unique = place.schema->find("uniqueItems");
  const bool must_differ = unique != nullptr && !(unique->is_bool() && !unique->boolean());
  if (must_differ && most > 1) {
    return make_error(ErrorCode::Unsupported, place.path + ".uniqueItems",
                      "uniqueItems is supported only with maxItems of 1 or less");
  }
  AMBRY_TRY(const ArrayParts parts, read_array_parts(compiler, place));
  const Expression comma = json_comma(grammar);
  std::vector<Expression> written = {grammar.literal("[")};
  const auto n_first = static_cast<uint32_t>(std::min<size_t>(parts.first.size(), most));
  for (uint32_t i = 0; i < n_first; ++i) {
    if (i > 0) written.push_back(comma);
    written.push_back(parts.first[i]);
  }
  const uint32_t least_other = least > n_first ? least - n_first : 0;
  const uint32_t most_other = most == Grammar::kUnbounded ? most : most - n_first;
  const Expression another = grammar.sequence({comma, parts.other});
  if (n_first > 0) {
    written.push_back(grammar.repeat(another, least_other, most_other));
  } else if (most_other > 0) {
    const uint32_t most_more = most == Grammar::kUnbounded ? most : most_other - 1;
    const uint32_t least_more = least_other > 0 ? least_other - 1 : 0;
    const Expression items =
        grammar.sequence({parts.other, grammar.repeat(another, least_more, most_more)});
    written.push_back(least == 0 ? grammar.optional(items) : items);
  }
  written.push_back(grammar.literal("]"));
  return grammar.sequence(written);
}

}  // namespace ambry::text
