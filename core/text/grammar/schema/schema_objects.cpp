// Objects: the listed properties in their order, then others if they are allowed.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "text/grammar/schema/json_text.h"
#include "text/grammar/schema/schema_compiler.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using io::Json;

struct Property {
  std::string_view name;
  Expression written = Grammar::kNothing;  // the key and the value
  bool is_required = false;
};

class ObjectWriter {
 public:
  ObjectWriter(SchemaCompiler& compiler, const SchemaPlace& place)
      : compiler_(compiler), grammar_(compiler.grammar()), place_(place) {}

  Result<Expression> compile() {
    AMBRY_RETURN_IF_ERROR(read_required());
    AMBRY_RETURN_IF_ERROR(read_additional());
    AMBRY_RETURN_IF_ERROR(read_properties());
    add_missing_required();
    AMBRY_TRY(const uint32_t least, read_least(place_, "minProperties"));
    AMBRY_TRY(const uint32_t most, read_most(place_, "maxProperties"));
    if (least > most) return Grammar::kNothing;
    Expression content = Grammar::kNothing;
    if (properties_.empty()) {
      AMBRY_TRY(content, compile_map(least, most));
    } else {
      AMBRY_RETURN_IF_ERROR(check_counts(least, most));
      content = compile_members();
    }
    return grammar_.sequence({grammar_.literal("{"), content, grammar_.literal("}")});
  }

 private:
  [[nodiscard]] Failure bad(const char* keyword, const char* message) const {
    return make_error(ErrorCode::BadValue, {place_.path, ".", keyword}, message);
  }

  Result<void> read_required() {
    const Json* list = place_.schema->find("required");
    if (list == nullptr) return {};
    if (!list->is_array()) return bad("required", "required must be a list of names");
    for (const Json& name : list->items()) {
      if (!name.is_string()) return bad("required", "required must be a list of names");
      required_.push_back(name.string());
    }
    return {};
  }

  // Without the keyword other properties are allowed. They are written only if the schema lists no
  // properties.
  Result<void> read_additional() {
    const Json* schema = place_.schema->find("additionalProperties");
    if (schema != nullptr) {
      const std::string path = place_.path + ".additionalProperties";
      other_ = compiler_.value_of({schema, path});
      has_others_ = !schema->is_bool() || schema->boolean();
      return {};
    }
    other_ = compiler_.any_value();
    has_others_ = place_.schema->find("properties") == nullptr && required_.empty();
    return {};
  }

  Result<void> read_properties() {
    const Json* listed = place_.schema->find("properties");
    if (listed == nullptr) return {};
    if (!listed->is_object()) return bad("properties", "properties must be an object of schemas");
    for (const auto& [name, schema] : listed->members()) {
      const Expression value = compiler_.value_of({&schema, place_.path + ".properties." + name});
      add_property(name, value, std::ranges::count(required_, name) > 0);
    }
    return {};
  }

  void add_missing_required() {
    for (const std::string_view name : required_) {
      if (std::ranges::count(properties_, name, &Property::name) > 0) continue;
      add_property(name, other_, true);
    }
  }

  void add_property(std::string_view name, Expression value, bool is_required) {
    properties_.push_back(
        {name, grammar_.sequence({json_key(grammar_, name), value}), is_required});
  }

  // Properties that are not listed, as a list of at least one.
  Expression others(uint32_t least, uint32_t most) {
    std::vector<std::string_view> names;
    names.reserve(properties_.size());
    for (const Property& property : properties_) names.push_back(property.name);
    const Expression other = grammar_.sequence({json_key_except(grammar_, names), other_});
    const Expression more = grammar_.sequence({json_comma(grammar_), other});
    const uint32_t most_more = most == Grammar::kUnbounded ? most : most - 1;
    return grammar_.sequence({other, grammar_.repeat(more, least - 1, most_more)});
  }

  // Two equal keys count once, so two properties cannot be asked for.
  Result<Expression> compile_map(uint32_t least, uint32_t most) {
    if (!has_others_ || most == 0) return least == 0 ? Grammar::kEmpty : Grammar::kNothing;
    if (least > 1) {
      return make_error(ErrorCode::Unsupported, place_.path + ".minProperties",
                        "minProperties of 2 or more is supported only for required properties");
    }
    const Expression some = others(1, most);
    return least == 0 ? grammar_.optional(some) : some;
  }

  [[nodiscard]] Result<void> check_counts(uint32_t least, uint32_t most) const {
    const auto n_required =
        static_cast<size_t>(std::ranges::count(properties_, true, &Property::is_required));
    if (least > n_required) {
      return make_error(ErrorCode::Unsupported, place_.path + ".minProperties",
                        "more properties than the required ones cannot be asked for");
    }
    if (most < properties_.size() || (has_others_ && most != Grammar::kUnbounded)) {
      return make_error(ErrorCode::Unsupported, place_.path + ".maxProperties",
                        "maxProperties is supported only if it allows all listed properties and "
                        "there are no others");
    }
    return {};
  }

  // From the last property to the first: what is written from it on, as the first of the object or
  // after others.
  Expression compile_members() {
    const Expression comma = json_comma(grammar_);
    Expression later = Grammar::kEmpty;
    Expression first = Grammar::kEmpty;
    if (has_others_) {
      const Expression some = others(1, Grammar::kUnbounded);
      first = as_rule(grammar_.optional(some));
      later = as_rule(grammar_.optional(grammar_.sequence({comma, some})));
    }
    for (size_t i = properties_.size(); i-- > 0;) {
      const Property& property = properties_[i];
      Expression begun = grammar_.sequence({property.written, later});
      Expression next = grammar_.sequence({comma, property.written, later});
      if (!property.is_required) {
        begun = grammar_.choice({begun, first});
        next = grammar_.choice({next, later});
      }
      first = as_rule(begun);
      later = as_rule(next);
    }
    return first;
  }

  // A rule, so that the many that refer to it do not copy it.
  Expression as_rule(Expression expression) {
    const Grammar::Rule rule = grammar_.add_rule(place_.path);
    grammar_.define(rule, expression);
    return grammar_.reference(rule);
  }

  SchemaCompiler& compiler_;
  Grammar& grammar_;
  const SchemaPlace& place_;
  std::vector<std::string_view> required_;
  std::vector<Property> properties_;
  Expression other_ = Grammar::kNothing;
  bool has_others_ = false;
};

}  // namespace

Result<Expression> compile_object(SchemaCompiler& compiler, const SchemaPlace& place) {
  return ObjectWriter(compiler, place).compile();
}

}  // namespace ambry::text
