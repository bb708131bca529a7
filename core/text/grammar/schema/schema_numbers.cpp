// Numbers: bounds, multiples, and values that are listed or excluded.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "text/grammar/schema/number_multiples.h"
#include "text/grammar/schema/number_range.h"
#include "text/grammar/schema/schema_compiler.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using io::Json;

class NumberWriter {
 public:
  NumberWriter(SchemaCompiler& compiler, const SchemaAlternative& alternative)
      : compiler_(compiler),
        alternative_(alternative),
        is_integer_((alternative.types & kFraction) == 0) {}

  Result<Expression> compile() {
    for (const char* keyword : {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"}) {
      AMBRY_RETURN_IF_ERROR(read_bounds(keyword, false));
      AMBRY_RETURN_IF_ERROR(read_bounds(keyword, true));
    }
    AMBRY_RETURN_IF_ERROR(read_formats());
    const auto listed = listed_scalars(alternative_);
    if (!listed) return numbers(range_);
    std::vector<Expression> ways;
    is_bounded_ = true;
    for (const Json& value : *listed) {
      if (!value.is_number()) continue;
      NumberRange range = range_;
      const std::string& path = alternative_.nodes[0]->path;
      AMBRY_RETURN_IF_ERROR(tighten(range, value, false, BoundKind::Lower, path));
      AMBRY_RETURN_IF_ERROR(tighten(range, value, false, BoundKind::Upper, path));
      AMBRY_TRY(const Expression way, numbers(range));
      ways.push_back(way);
    }
    return compiler_.grammar().choice(ways);
  }

 private:
  Result<void> read_bounds(std::string_view keyword, bool is_negated) {
    const bool is_lower = keyword.ends_with("inimum") != is_negated;
    const bool names_exclusive = keyword.starts_with("exclusive");
    for (const SchemaNode* node : alternative_.with(keyword, is_negated)) {
      const Json& schema = *node->schema;
      const Json& value = *schema.find(keyword);
      const bool is_min = keyword.ends_with("inimum");
      // OpenAPI 3.0 has booleans for exclusive bounds, as draft 4.
      if (names_exclusive && value.is_bool()) {
        if (schema.find(is_min ? "minimum" : "maximum") != nullptr || !value.boolean()) continue;
      }
      const Json* other = schema.find(is_min ? "exclusiveMinimum" : "exclusiveMaximum");
      const bool is_marked =
          !names_exclusive && other != nullptr && other->is_bool() && other->boolean();
      const bool excludes = (names_exclusive || is_marked) != is_negated;
      const std::string path = concat({node->path, ".", keyword});
      const BoundKind kind = is_lower ? BoundKind::Lower : BoundKind::Upper;
      AMBRY_RETURN_IF_ERROR(tighten(range_, value, excludes, kind, path));
      is_bounded_ = true;
    }
    return {};
  }

  // int32, uint8 and the like of OpenAPI. Other formats say nothing of numbers.
  Result<void> read_formats() {
    for (const SchemaNode* node : alternative_.with("format")) {
      const Json& format = *node->schema->find("format");
      if (!format.is_string()) continue;
      std::string_view name = format.string();
      const bool is_unsigned = name.starts_with('u');
      if (is_unsigned) name.remove_prefix(1);
      if (name != "int8" && name != "int16" && name != "int32" && name != "int64") continue;
      is_integer_ = true;
      const unsigned n_bits = name == "int8" ? 8 : name == "int16" ? 16 : name == "int32" ? 32 : 64;
      const double half = n_bits == 64 ? 1e19 : static_cast<double>(uint64_t{1} << (n_bits - 1));
      const Json least(is_unsigned ? 0.0 : -half);
      const Json most(is_unsigned ? 2 * half - 1 : half - 1);
      AMBRY_RETURN_IF_ERROR(tighten(range_, least, false, BoundKind::Lower, node->path));
      AMBRY_RETURN_IF_ERROR(tighten(range_, most, false, BoundKind::Upper, node->path));
    }
    return {};
  }

  static Result<void> tighten(NumberRange& range, const Json& value, bool excludes, BoundKind kind,
                              const std::string& path) {
    AMBRY_TRY(const auto bound, read_bound(value, excludes, kind, path));
    auto& known = kind == BoundKind::Lower ? range.lower : range.upper;
    if (bound && (!known || is_tighter(*bound, *known, kind))) known = bound;
    return {};
  }

  Result<Expression> numbers(NumberRange range) {
    const SchemaNodes multiples = alternative_.with("multipleOf");
    const SchemaNodes others = alternative_.with("multipleOf", true);
    std::vector<Json> excluded = excluded_scalars(alternative_);
    std::erase_if(excluded, [](const Json& value) { return !value.is_number(); });
    const bool has_integers = (alternative_.types & kInteger) != 0;
    if (is_integer_ && !has_integers) return Grammar::kNothing;
    if (multiples.empty() && others.empty() && excluded.empty() && has_integers) {
      return in_range(compiler_.grammar(), range);
    }
    const std::string& path = alternative_.nodes[0]->path;
    for (const SchemaNode* node : is_integer_ ? SchemaNodes() : multiples) {
      AMBRY_RETURN_IF_ERROR(limit_digits(range, *node->schema->find("multipleOf"), path));
    }
    Intersection texts(path);
    const auto base = [&](Grammar& grammar) -> Result<Expression> {
      return in_range(grammar, range);
    };
    AMBRY_RETURN_IF_ERROR(add_written(texts, Belongs::Yes, base));
    for (const Belongs belongs : {Belongs::Yes, Belongs::No}) {
      for (const SchemaNode* node : belongs == Belongs::Yes ? multiples : others) {
        AMBRY_RETURN_IF_ERROR(add_multiples(texts, belongs, *node->schema->find("multipleOf"),
                                            node->path + ".multipleOf"));
      }
    }
    for (const Json& value : excluded) {
      const auto spellings = [&](Grammar& grammar) -> Result<Expression> {
        return spellings_of(grammar, value);
      };
      AMBRY_RETURN_IF_ERROR(add_written(texts, Belongs::No, spellings));
    }
    if (!has_integers) AMBRY_RETURN_IF_ERROR(add_multiples(texts, Belongs::No, Json(1), path));
    return compiler_.texts_of(texts);
  }

  // A multiple with a fraction has 15 digits at most, so that its double is near enough.
  static Result<void> limit_digits(NumberRange& range, const Json& divisor,
                                   const std::string& path) {
    const size_t n_places = divisor.is_number() ? decimal_of(divisor).fraction.size() : 0;
    if (n_places == 0) return {};
    double largest = 1e15;
    for (size_t i = 0; i < n_places && largest > 1; ++i) largest /= 10;
    const Json most(std::floor(largest) - (largest > 1 ? 1 : 0));
    AMBRY_RETURN_IF_ERROR(tighten(range, Json(-most.number()), false, BoundKind::Lower, path));
    return tighten(range, most, false, BoundKind::Upper, path);
  }

  static Result<void> add_multiples(Intersection& texts, Belongs belongs, const Json& value,
                                    const std::string& path) {
    return add_written(texts, belongs,
                       [&](Grammar& grammar) { return multiples_of(grammar, value, path); });
  }

  [[nodiscard]] Expression in_range(Grammar& grammar, const NumberRange& range) const {
    if (is_integer_) return integers_in(grammar, range);
    const bool is_any = !is_bounded_ && &grammar == &compiler_.grammar();
    return is_any ? any_number(grammar) : numbers_in(grammar, range);
  }

  SchemaCompiler& compiler_;
  const SchemaAlternative& alternative_;
  NumberRange range_;
  bool is_integer_;
  bool is_bounded_ =
      false;  // also by a bound that is farther away than any number without exponent
};

}  // namespace

Result<Expression> compile_number(SchemaCompiler& compiler, const SchemaAlternative& alternative) {
  return NumberWriter(compiler, alternative).compile();
}

}  // namespace ambry::text
