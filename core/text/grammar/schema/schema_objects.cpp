// Objects: the listed properties in their order, then others if they are allowed.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "text/grammar/schema/json_text.h"
#include "text/grammar/schema/object_keys.h"
#include "text/grammar/schema/schema_compiler.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using io::Json;

struct Property {
  Expression written = Grammar::kNothing;  // the key and the value
  bool is_required = false;
};

class ObjectWriter {
 public:
  ObjectWriter(SchemaCompiler& compiler, const SchemaAlternative& alternative)
      : compiler_(compiler),
        grammar_(compiler.grammar()),
        alternative_(alternative),
        path_(alternative.nodes.empty() ? "object" : alternative.nodes[0]->path) {}

  Result<Expression> compile() {
    AMBRY_TRY(keys_, read_object_keys(compiler_, alternative_));
    AMBRY_TRY(counts_, read_counts(alternative_, "minProperties", "maxProperties"));
    if (counts_.least > counts_.most) return Grammar::kNothing;
    read_properties();
    AMBRY_RETURN_IF_ERROR(read_others());
    AMBRY_TRY(const Expression content, compile_content());
    return grammar_.sequence({grammar_.literal("{"), content, grammar_.literal("}")});
  }

 private:
  // A property that is listed but never allowed is not written.
  void read_properties() {
    for (const ListedKey& key : keys_.listed) {
      auto schemas = keys_.schemas_of(key.name);
      Expression value = Grammar::kNothing;
      if (schemas) value = compiler_.value_of(std::move(*schemas));
      if (value == Grammar::kNothing && !key.is_required) continue;
      properties_.push_back(
          {grammar_.sequence({json_key(grammar_, key.name), value}), key.is_required});
    }
  }

  Result<void> read_others() {
    if (!keys_.has_others) return {};
    std::vector<std::string_view> names;
    names.reserve(keys_.listed.size());
    for (const ListedKey& key : keys_.listed) names.push_back(key.name);
    AMBRY_TRY(const std::vector<KeyClass> classes, key_classes(compiler_, keys_, names));
    std::vector<Expression> ways;
    for (const KeyClass& keys : classes) {
      const Expression value = compiler_.value_of(keys.schemas);
      ways.push_back(grammar_.sequence({keys.written, value}));
    }
    const Expression any = grammar_.choice(ways);
    if (any != Grammar::kNothing) other_ = compiler_.as_rule(any, path_);
    return {};
  }

  // Properties that are not listed, as a list of at least one. Two equal keys count once, so two
  // different ones cannot be asked for.
  Expression others(uint32_t least, uint32_t most) {
    if (most == 0 || least > 1) return Grammar::kNothing;
    const Expression more = grammar_.sequence({json_comma(grammar_), other_});
    const uint32_t most_more = most == Grammar::kUnbounded ? most : most - 1;
    return grammar_.sequence({other_, grammar_.repeat(more, 0, most_more)});
  }

  Result<Expression> compile_content() {
    const size_t n_listed = properties_.size();
    const bool has_others = other_ != Grammar::kNothing;
    if (counts_.least > n_listed + (has_others ? 1 : 0)) {
      if (!has_others) return Grammar::kNothing;
      return make_error(ErrorCode::Unsupported, place_of("minProperties"),
                        "so many properties that are not listed cannot be asked for");
    }
    const auto n_required =
        static_cast<size_t>(std::ranges::count(properties_, true, &Property::is_required));
    const bool meets_most =
        counts_.most == Grammar::kUnbounded || (counts_.most >= n_listed && !has_others);
    // How many are written is followed only as far as it matters.
    const bool counts = counts_.least > n_required || !meets_most;
    const size_t n_counted =
        !counts ? 1
                : std::max<size_t>(counts_.least,
                                   meets_most ? 0 : std::min<size_t>(counts_.most, n_listed + 1));
    constexpr size_t kMaxRules = 20'000;
    if (n_counted * n_listed > kMaxRules) {
      return make_error(ErrorCode::LimitExceeded, place_of("minProperties"),
                        "too many properties to count");
    }
    return compile_members(std::max<size_t>(n_counted, 1), !meets_most);
  }

  // From the last property to the first: what is written from it on, after `n` properties. The last
  // count stands for all higher ones, unless there is a most.
  Expression compile_members(size_t n_counted, bool has_most) {
    const Expression comma = json_comma(grammar_);
    std::vector<Expression> after;
    for (size_t n = 0; n <= n_counted; ++n) after.push_back(end_after(n, has_most));
    for (size_t i = properties_.size(); i-- > 0;) {
      const Property& property = properties_[i];
      std::vector<Expression> here(after.size());
      for (size_t n = 0; n <= n_counted; ++n) {
        const bool is_full = has_most && n >= counts_.most;
        const Expression later = is_full ? Grammar::kNothing : after[std::min(n + 1, n_counted)];
        Expression way = grammar_.sequence({property.written, later});
        if (n > 0) way = grammar_.sequence({comma, way});
        if (!property.is_required) way = grammar_.choice({way, after[n]});
        here[n] = way == Grammar::kNothing ? way : compiler_.as_rule(way, path_);
      }
      after = std::move(here);
    }
    return after[0];
  }

  // What may follow the listed properties, of which `n` are written.
  Expression end_after(size_t n, bool has_most) {
    if (has_most && n > counts_.most) return Grammar::kNothing;
    const uint32_t least =
        std::max(counts_.least > n ? counts_.least - static_cast<uint32_t>(n) : 0,
                 keys_.needs_other ? 1U : 0U);
    const uint32_t most = has_most && counts_.most != Grammar::kUnbounded
                              ? counts_.most - static_cast<uint32_t>(n)
                              : Grammar::kUnbounded;
    if (other_ == Grammar::kNothing) return least == 0 ? Grammar::kEmpty : Grammar::kNothing;
    Expression some = others(std::max(least, 1U), most);
    if (n > 0) some = grammar_.sequence({json_comma(grammar_), some});
    return compiler_.as_rule(least == 0 ? grammar_.optional(some) : some, path_);
  }

  [[nodiscard]] std::string place_of(const char* keyword) const {
    const SchemaNodes nodes = alternative_.with(keyword);
    return nodes.empty() ? path_ : concat({nodes[0]->path, ".", keyword});
  }

  SchemaCompiler& compiler_;
  Grammar& grammar_;
  const SchemaAlternative& alternative_;
  std::string path_;
  ObjectKeys keys_;
  Counts counts_;
  std::vector<Property> properties_;
  Expression other_ = Grammar::kNothing;
};

}  // namespace

Result<Expression> compile_object(SchemaCompiler& compiler, const SchemaAlternative& alternative) {
  return ObjectWriter(compiler, alternative).compile();
}

}  // namespace ambry::text
