#include "text/grammar/schema/schema_compiler.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/grammar/schema/json_text.h"
#include "text/grammar/schema/number_range.h"

namespace ambry::text {
namespace {

using io::Json;

bool is_empty_object(const Json& schema) { return schema.is_object() && schema.members().empty(); }

Failure needs_schemas(const SchemaPlace& place, const char* keyword) {
  return make_error(ErrorCode::BadValue, {place.path, ".", keyword},
                    {keyword, " must be a list of one or more schemas"});
}

bool is_list(const Json* list) {
  return list != nullptr && list->is_array() && !list->items().empty();
}

}  // namespace

Result<Grammar> SchemaCompiler::compile() {
  static_cast<void>(value_of(source_.root()));
  for (size_t i = 0; i < waiting_.size(); ++i) {
    const auto [place, rule] = waiting_[i];
    AMBRY_TRY(const Expression expression, compile_schema(place));
    grammar_.define(rule, expression);
    if (!grammar_.is_too_large()) continue;
    return make_error(ErrorCode::LimitExceeded, place.path, "this schema is too large");
  }
  return std::move(grammar_);
}

SchemaCompiler::Expression SchemaCompiler::value_of(const SchemaPlace& place) {
  const auto address = reinterpret_cast<uintptr_t>(place.schema);
  const auto high = static_cast<uint32_t>(uint64_t{address} >> 32);
  const auto made = known_.intern(std::array{static_cast<uint32_t>(address), high});
  if (made.is_new) {
    rules_.push_back(grammar_.add_rule(place.path));
    waiting_.emplace_back(place, rules_.back());
  }
  return grammar_.reference(rules_[made.id]);
}

Result<SchemaCompiler::Expression> SchemaCompiler::compile_schema(const SchemaPlace& place) {
  AMBRY_RETURN_IF_ERROR(source_.check(place));
  const Json& schema = *place.schema;
  if (schema.is_bool()) return schema.boolean() ? any_value() : Grammar::kNothing;
  if (const Json* ref = schema.find("$ref")) {
    AMBRY_TRY(const SchemaPlace beside, source_.without(place, "$ref"));
    if (is_empty_object(*beside.schema)) {
      AMBRY_TRY(const SchemaPlace target, source_.named(*ref, place.path + ".$ref"));
      return value_of(target);
    }
    AMBRY_TRY(const SchemaPlace target, source_.resolved(place));
    return value_of(target);
  }
  if (schema.find("allOf") != nullptr) return compile_all_of(place);
  if (schema.find("anyOf") != nullptr) return compile_any_of(place, "anyOf");
  if (schema.find("oneOf") != nullptr) return compile_any_of(place, "oneOf");
  const bool is_fixed = schema.find("const") != nullptr || schema.find("enum") != nullptr;
  return is_fixed ? compile_fixed(place) : compile_types(place);
}

Result<SchemaCompiler::Expression> SchemaCompiler::compile_all_of(const SchemaPlace& place) {
  const Json* list = place.schema->find("allOf");
  if (!is_list(list)) return needs_schemas(place, "allOf");
  AMBRY_TRY(SchemaPlace joined, source_.without(place, "allOf"));
  for (size_t i = 0; i < list->items().size(); ++i) {
    SchemaPlace part = {&list->items()[i], place.path + ".allOf[" + std::to_string(i) + "]"};
    AMBRY_RETURN_IF_ERROR(source_.check(part));
    AMBRY_TRY(part, source_.resolved(std::move(part)));
    AMBRY_RETURN_IF_ERROR(source_.check(part));
    AMBRY_TRY(joined, source_.merge(joined, part));
  }
  joined.path = place.path;
  return value_of(joined);
}

Result<SchemaCompiler::Expression> SchemaCompiler::compile_any_of(const SchemaPlace& place,
                                                                  const char* keyword) {
  const Json* list = place.schema->find(keyword);
  if (!is_list(list)) return needs_schemas(place, keyword);
  AMBRY_TRY(const SchemaPlace beside, source_.without(place, keyword));
  std::vector<SchemaPlace> alternatives;
  for (size_t i = 0; i < list->items().size(); ++i) {
    SchemaPlace part = {&list->items()[i],
                        place.path + "." + keyword + "[" + std::to_string(i) + "]"};
    AMBRY_RETURN_IF_ERROR(source_.check(part));
    if (!is_empty_object(*beside.schema)) {
      const std::string path = part.path;
      AMBRY_TRY(part, source_.resolved(std::move(part)));
      AMBRY_RETURN_IF_ERROR(source_.check(part));
      part.path = path;
      AMBRY_TRY(part, source_.merge(beside, part));
    }
    alternatives.push_back(std::move(part));
  }
  if (keyword == std::string_view("oneOf")) {
    AMBRY_RETURN_IF_ERROR(check_disjoint(source_, alternatives, place.path + ".oneOf"));
  }
  std::vector<Expression> ways;
  ways.reserve(alternatives.size());
  for (const SchemaPlace& alternative : alternatives) ways.push_back(value_of(alternative));
  return grammar_.choice(ways);
}

// Values that are listed. Other keywords than `type` would have to be checked on each.
Result<SchemaCompiler::Expression> SchemaCompiler::compile_fixed(const SchemaPlace& place) {
  const Json& schema = *place.schema;
  AMBRY_TRY(const SchemaPlace others, source_.without(place, "enum"));
  for (const auto& [name, _] : others.schema->members()) {
    if (name == "type" || name == "const") continue;
    return make_error(ErrorCode::Unsupported, {place.path, ".", name},
                      {name, " cannot be combined with enum or const"});
  }
  AMBRY_TRY(const TypeSet types, allowed_types(schema, place.path));
  const Json* list = schema.find("enum");
  const Json* single = schema.find("const");
  if (list != nullptr && !list->is_array()) {
    return make_error(ErrorCode::BadValue, place.path + ".enum", "enum must be a list");
  }
  if (list != nullptr && single != nullptr) {
    return make_error(ErrorCode::Unsupported, place.path + ".const",
                      "const cannot be combined with enum");
  }
  std::vector<Expression> ways;
  const auto add = [&](const Json& value) {
    if ((type_of(value) & types) != 0) ways.push_back(json_value(grammar_, value));
  };
  if (single != nullptr) add(*single);
  if (list != nullptr) {
    for (const Json& value : list->items()) add(value);
  }
  return grammar_.choice(ways);
}

Result<SchemaCompiler::Expression> SchemaCompiler::compile_types(const SchemaPlace& place) {
  AMBRY_TRY(const TypeSet types, written_types(*place.schema, place.path));
  if (types == kEveryType && is_empty_object(*place.schema)) return any_value();
  std::vector<Expression> ways;
  if ((types & kNull) != 0) ways.push_back(grammar_.literal("null"));
  if ((types & kBoolean) != 0) {
    ways.push_back(grammar_.literal("true"));
    ways.push_back(grammar_.literal("false"));
  }
  Expression way = Grammar::kNothing;
  if ((types & (kInteger | kFraction)) != 0) {
    AMBRY_TRY(way, compile_number(*this, place, types));
    ways.push_back(way);
  }
  if ((types & kString) != 0) {
    AMBRY_TRY(way, compile_string(*this, place));
    ways.push_back(way);
  }
  if ((types & kArray) != 0) {
    AMBRY_TRY(way, compile_array(*this, place));
    ways.push_back(way);
  }
  if ((types & kObject) != 0) {
    AMBRY_TRY(way, compile_object(*this, place));
    ways.push_back(way);
  }
  return grammar_.choice(ways);
}

SchemaCompiler::Expression SchemaCompiler::any_string() {
  if (any_string_ == UINT32_MAX) {
    any_string_ = grammar_.add_rule("string");
    const Expression quote = grammar_.literal("\"");
    const Expression content = grammar_.repeat(any_json_char(grammar_), 0, Grammar::kUnbounded);
    grammar_.define(any_string_, grammar_.sequence({quote, content, quote}));
  }
  return grammar_.reference(any_string_);
}

SchemaCompiler::Expression SchemaCompiler::any_value() {
  if (any_value_ == UINT32_MAX) {
    any_value_ = grammar_.add_rule("value");
    const Expression value = grammar_.reference(any_value_);
    const auto listed = [&](const char* open, Expression item, const char* close) {
      const Expression more =
          grammar_.repeat(grammar_.sequence({json_comma(grammar_), item}), 0, Grammar::kUnbounded);
      return grammar_.sequence({grammar_.literal(open),
                                grammar_.optional(grammar_.sequence({item, more})),
                                grammar_.literal(close)});
    };
    const Expression member = grammar_.sequence({json_key_except(grammar_, {}), value});
    grammar_.define(
        any_value_,
        grammar_.choice({grammar_.literal("null"), grammar_.literal("true"),
                         grammar_.literal("false"), numbers_in(grammar_, {}), any_string(),
                         listed("[", value, "]"), listed("{", member, "}")}));
  }
  return grammar_.reference(any_value_);
}

}  // namespace ambry::text
