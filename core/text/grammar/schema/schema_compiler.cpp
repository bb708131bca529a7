#include "text/grammar/schema/schema_compiler.h"

#include <algorithm>
#include <utility>

#include "base/order.h"
#include "text/grammar/schema/json_text.h"
#include "text/grammar/schema/keywords.h"
#include "text/grammar/schema/number_range.h"

namespace ambry::text {
namespace {

using io::Json;

// Whether the schema says nothing of values but which are listed.
bool only_lists_values(const Json& schema) {
  bool lists = false;
  for (const auto& [name, _] : schema.members()) {
    const auto use = keyword_use(name);
    const bool says_nothing = use == KeywordUse::Annotation || use == KeywordUse::Definitions ||
                              name == "nullable" || name == "type";
    const bool is_list = name == "enum" || name == "const";
    if (!says_nothing && (!is_list || lists)) return false;
    lists = lists || is_list;
  }
  return lists;
}

// The types to write: those that are stated, or else those that the keywords speak of.
TypeSet written_types(const SchemaAlternative& alternative) {
  if (alternative.states_types) return alternative.types;
  TypeSet spoken_of = 0;
  for (const SchemaNode* node : alternative.nodes) {
    for (const auto& [name, _] : node->schema->members()) spoken_of |= types_of_keyword(name);
  }
  return spoken_of == 0 ? kEveryType : spoken_of;
}

}  // namespace

Result<Grammar> SchemaCompiler::compile() {
  static_cast<void>(value_of({source_.root()}));
  for (size_t i = 0; i < waiting_.size(); ++i) {
    const Waiting next = std::move(waiting_[i]);
    AMBRY_TRY(const Expression expression, compile_all(next.all_of));
    grammar_.define(next.rule, expression);
    if (!grammar_.is_too_large()) continue;
    return make_error(ErrorCode::LimitExceeded, next.all_of[0]->path, "this schema is too large");
  }
  return std::move(grammar_);
}

SchemaCompiler::Expression SchemaCompiler::value_of(SchemaNodes all_of) {
  const auto comes_before = [](const SchemaNode* a, const SchemaNode* b) {
    return a->schema != b->schema ? a->schema < b->schema : a->is_negated < b->is_negated;
  };
  std::erase_if(all_of, [](const SchemaNode* node) {
    return !node->is_negated && ((node->schema->is_bool() && node->schema->boolean()) ||
                                 (node->schema->is_object() && node->schema->members().empty()));
  });
  if (all_of.empty() && !rules_.empty()) return any_value();
  SchemaNodes sorted = all_of;
  sort_items(sorted, comes_before);
  std::vector<uint32_t> key;
  for (const SchemaNode* node : sorted) {
    const auto address = uint64_t{reinterpret_cast<uintptr_t>(node->schema)};
    key.push_back(static_cast<uint32_t>(address));
    key.push_back(static_cast<uint32_t>(address >> 32) << 1 | (node->is_negated ? 1 : 0));
  }
  const auto made = known_.intern(key);
  if (made.is_new) {
    rules_.push_back(grammar_.add_rule(all_of.empty() ? source_.root()->path : all_of[0]->path));
    if (all_of.empty()) {
      grammar_.define(rules_.back(), any_value());
    } else {
      waiting_.push_back({std::move(all_of), rules_.back()});
    }
  }
  return grammar_.reference(rules_[made.id]);
}

Result<SchemaCompiler::Expression> SchemaCompiler::compile_all(const SchemaNodes& all_of) {
  std::vector<Expression> ways;
  const SchemaNode& first = *all_of[0];
  if (all_of.size() == 1 && !first.is_negated && first.schema->is_object() &&
      only_lists_values(*first.schema)) {
    AMBRY_RETURN_IF_ERROR(source_.check(first));
    AMBRY_TRY(const TypeSet types, stated_types(*first.schema, first.path));
    const Json* list = first.schema->find("enum");
    if (list != nullptr && !list->is_array()) {
      return make_error(ErrorCode::BadValue, first.path + ".enum", "enum must be a list");
    }
    const auto add = [&](const Json& value) {
      if ((type_of(value) & types) != 0) ways.push_back(json_value(grammar_, value));
    };
    if (list == nullptr) {
      add(*first.schema->find("const"));
    } else {
      for (const Json& value : list->items()) add(value);
    }
    return grammar_.choice(ways);
  }
  AMBRY_TRY(const std::vector<SchemaAlternative> alternatives, alternatives_of(source_, all_of));
  for (const SchemaAlternative& alternative : alternatives) {
    AMBRY_TRY(const Expression way, compile_types(alternative));
    ways.push_back(way);
  }
  return grammar_.choice(ways);
}

Result<SchemaCompiler::Expression> SchemaCompiler::compile_types(
    const SchemaAlternative& alternative) {
  const TypeSet types = written_types(alternative);
  if (types == kEveryType && !alternative.states_types) return any_value();
  std::vector<Expression> ways;
  const auto is_allowed = [&](const Json& value) {
    return (types & type_of(value)) != 0 && allows_scalar(alternative, value);
  };
  for (const Json& value : {Json(), Json(false), Json(true)}) {
    if (is_allowed(value)) ways.push_back(grammar_.literal(value.dump()));
  }
  Expression way = Grammar::kNothing;
  if ((types & (kInteger | kFraction)) != 0) {
    AMBRY_TRY(way, compile_number(*this, alternative));
    ways.push_back(way);
  }
  if ((types & kString) != 0) {
    AMBRY_TRY(way, compile_string(*this, alternative, StringUse::Value));
    ways.push_back(way);
  }
  if ((types & kArray) != 0) {
    AMBRY_TRY(way, compile_array(*this, alternative));
    ways.push_back(way);
  }
  if ((types & kObject) != 0) {
    AMBRY_TRY(way, compile_object(*this, alternative));
    ways.push_back(way);
  }
  return grammar_.choice(ways);
}

SchemaCompiler::Expression SchemaCompiler::as_rule(Expression expression, std::string_view name) {
  const Grammar::Rule rule = grammar_.add_rule(name);
  grammar_.define(rule, expression);
  return grammar_.reference(rule);
}

Result<Grammar> SchemaCompiler::keys_of(const SchemaNodes& all_of) {
  AMBRY_TRY(const std::vector<SchemaAlternative> alternatives, alternatives_of(source_, all_of));
  Grammar document = std::exchange(grammar_, Grammar());
  const Grammar::Rule rule = grammar_.add_rule("key");
  std::vector<Expression> ways;
  Failure failure;
  for (const SchemaAlternative& alternative : alternatives) {
    if ((alternative.types & kString) == 0) continue;
    auto way = compile_string(*this, alternative, StringUse::Key);
    if (!way) failure = way.take_error();
    if (failure.is_set()) break;
    ways.push_back(*way);
  }
  grammar_.define(rule, grammar_.choice(ways));
  Grammar keys = std::exchange(grammar_, std::move(document));
  if (failure.is_set()) return failure;
  return keys;
}

Result<SchemaCompiler::Expression> SchemaCompiler::texts_of(Intersection& texts) {
  AMBRY_RETURN_IF_ERROR(pay_for(texts));
  return texts.build(grammar_, n_states_left_);
}

Result<void> SchemaCompiler::pay_for(const Intersection& texts) {
  if (texts.cost() > n_states_left_) return texts.too_large();
  n_states_left_ -= texts.cost();
  return {};
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
    grammar_.define(any_value_,
                    grammar_.choice({grammar_.literal("null"), grammar_.literal("true"),
                                     grammar_.literal("false"), any_number(grammar_), any_string(),
                                     listed("[", value, "]"), listed("{", member, "}")}));
  }
  return grammar_.reference(any_value_);
}

}  // namespace ambry::text
