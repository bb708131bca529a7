// Lists: the items with schemas of their own, then others, of which some must fit `contains`.
#include <algorithm>
#include <string>
#include <vector>

#include "text/grammar/schema/different_items.h"
#include "text/grammar/schema/json_text.h"
#include "text/grammar/schema/schema_compiler.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using io::Json;

// The schemas of items that stand together; nullptr: no schema.
struct ItemGroup {
  SchemaNodes first;
  const SchemaNode* other = nullptr;
};

bool is_never(const SchemaNode* node) {
  return node->schema->is_bool() && !node->schema->boolean();
}

class ArrayWriter {
 public:
  ArrayWriter(SchemaCompiler& compiler, const SchemaAlternative& alternative)
      : compiler_(compiler),
        grammar_(compiler.grammar()),
        alternative_(alternative),
        path_(alternative.nodes.empty() ? "list" : alternative.nodes[0]->path) {}

  Result<Expression> compile() {
    AMBRY_TRY(counts_, read_counts(alternative_, "minItems", "maxItems"));
    for (const SchemaNode* node : alternative_.nodes) {
      if (!node->is_negated) AMBRY_RETURN_IF_ERROR(read_group(*node));
    }
    for (const SchemaNode* node : alternative_.with("unevaluatedItems")) {
      AMBRY_RETURN_IF_ERROR(add_rest(*node));
    }
    AMBRY_RETURN_IF_ERROR(read_contains());
    // No item, and so none after it, where one is never allowed.
    for (uint32_t i = 0; i <= n_first_; ++i) {
      if (std::ranges::any_of(schemas_of(i), is_never)) counts_.most = std::min(counts_.most, i);
    }
    // Where nothing is said of further items, the first ones are all written, and no others.
    if (n_first_ > 0 && !has_others_) counts_.most = std::min(counts_.most, n_first_);
    if (n_first_ > 0 && !alternative_.has("minItems")) {
      counts_.least = std::max(counts_.least, std::min(n_first_, counts_.most));
    }
    if (counts_.least > counts_.most || contained_.least > contained_.most) {
      return Grammar::kNothing;
    }
    AMBRY_TRY(const bool must_differ, reads_unique());
    Expression content = Grammar::kNothing;
    if (must_differ) {
      AMBRY_TRY(content, compile_different());
    } else {
      const bool counts = contained_.least > 0 || contained_.most != Grammar::kUnbounded;
      if (counts) {
        AMBRY_TRY(content, compile_counted());
      } else {
        content = compile_plain();
      }
    }
    return grammar_.sequence({grammar_.literal("["), content, grammar_.literal("]")});
  }

 private:
  const SchemaNode* child(const SchemaNode& node, const Json& schema, const std::string& keyword) {
    return compiler_.source().add({&schema, concat({node.path, ".", keyword}), false, {}, nullptr});
  }

  Result<void> read_group(const SchemaNode& node) {
    const Json* prefix = node.schema->find("prefixItems");
    const Json* items = node.schema->find("items");
    const char* prefix_name = "prefixItems";
    const char* items_name = "items";
    if (items != nullptr && items->is_array()) {  // as until draft 2019-09
      if (prefix != nullptr) {
        return make_error(ErrorCode::BadValue, node.path + ".items",
                          "items must be a schema beside prefixItems");
      }
      prefix = items;
      items = node.schema->find("additionalItems");
      prefix_name = "items";
      items_name = "additionalItems";
    }
    ItemGroup group;
    if (prefix != nullptr) {
      if (!prefix->is_array()) {
        return make_error(ErrorCode::BadValue, {node.path, ".", prefix_name},
                          {prefix_name, " must be a list of schemas"});
      }
      for (size_t i = 0; i < prefix->items().size(); ++i) {
        group.first.push_back(
            child(node, prefix->items()[i], concat({prefix_name, "[", uint64_t{i}, "]"})));
      }
    }
    if (items != nullptr) {
      group.other = child(node, *items, items_name);
      has_others_ = true;
    }
    n_first_ = std::max(n_first_, static_cast<uint32_t>(group.first.size()));
    groups_.push_back(std::move(group));
    return {};
  }

  // The items that no schema has looked at which the node applies to the same list.
  Result<void> add_rest(const SchemaNode& node) {
    ItemGroup group;
    const Json& rest = *node.schema->find("unevaluatedItems");
    Json any = Json::array();
    any.append(rest);
    has_others_ = true;
    for (const SchemaNode* part : alternative_.nodes) {
      if (!is_applied_by(*part, node)) continue;
      const Json& schema = *part->schema;
      const Json* items = schema.find("items");
      const bool has_list = items != nullptr && items->is_array();
      const bool looks_at_all = (items != nullptr && !has_list) ||
                                (has_list && schema.find("additionalItems") != nullptr) ||
                                (part != &node && schema.find("unevaluatedItems") != nullptr);
      if (looks_at_all) return {};
      const Json* prefix = has_list ? items : schema.find("prefixItems");
      if (prefix != nullptr && prefix->items().size() > group.first.size()) {
        group.first.resize(prefix->items().size());
      }
      if (const Json* contains = schema.find("contains")) any.append(*contains);
    }
    const Json* other = &rest;
    if (any.items().size() > 1) {
      Json either = Json::object();
      either.set("anyOf", std::move(any));
      AMBRY_TRY(other, compiler_.source().made(std::move(either), node.path));
    }
    group.other = child(node, *other, "unevaluatedItems");
    groups_.push_back(std::move(group));
    return {};
  }

  Result<void> read_contains() {
    for (const SchemaNode* node : alternative_.with("contains")) {
      const SchemaAlternative single = {{node}};
      AMBRY_TRY(Counts counts, read_counts(single, "minContains", "maxContains"));
      if (node->schema->find("minContains") == nullptr) counts.least = 1;
      if (counts.least == 0 && counts.most == Grammar::kUnbounded) continue;
      if (contains_ != nullptr) {
        return make_error(ErrorCode::Unsupported, node->path + ".contains",
                          "several contains for one list are not supported");
      }
      contains_ = child(*node, *node->schema->find("contains"), "contains");
      contained_ = counts;
    }
    return {};
  }

  [[nodiscard]] SchemaNodes schemas_of(uint32_t at) const {
    SchemaNodes schemas;
    for (const ItemGroup& group : groups_) {
      const SchemaNode* node = at < group.first.size() ? group.first[at] : group.other;
      if (node != nullptr) schemas.push_back(node);
    }
    return schemas;
  }

  Expression item(uint32_t at) { return compiler_.value_of(schemas_of(at)); }

  // The items from `at` on, as far as they are the first ones, and then any number of others.
  Expression compile_plain() {
    const Expression comma = json_comma(grammar_);
    const Expression other = grammar_.sequence({comma, item(n_first_)});
    const uint32_t n_first = std::min(n_first_, counts_.most);
    const auto left = [&](uint32_t n) { return counts_.least > n ? counts_.least - n : 0; };
    const bool is_endless = counts_.most == Grammar::kUnbounded;
    Expression later = Grammar::kNothing;
    if (n_first_ > 0) {
      later =
          grammar_.repeat(other, left(n_first), is_endless ? counts_.most : counts_.most - n_first);
    } else {
      if (counts_.most == 0) return Grammar::kEmpty;
      later = grammar_.sequence(
          {item(0), grammar_.repeat(other, left(1), is_endless ? counts_.most : counts_.most - 1)});
      return counts_.least == 0 ? grammar_.optional(later) : later;
    }
    for (uint32_t i = n_first; i-- > 0;) {
      later = grammar_.sequence({i > 0 ? comma : Grammar::kEmpty, item(i), later});
      if (i >= counts_.least) later = grammar_.optional(later);
    }
    return later;
  }

  // A rule for each number of items and of those that fit `contains`, as far as these matter.
  Result<Expression> compile_counted() {
    const bool is_endless = counts_.most == Grammar::kUnbounded;
    const bool has_most = contained_.most != Grammar::kUnbounded;
    const uint32_t n_items =
        is_endless ? std::max({n_first_, counts_.least, uint32_t{1}}) : counts_.most;
    const uint32_t n_fit = has_most ? std::min(contained_.most, n_items + 1) : contained_.least;
    constexpr uint64_t kMaxRules = 4096;
    if (uint64_t{n_items + 1} * (n_fit + 1) > kMaxRules) {
      return make_error(ErrorCode::LimitExceeded, contains_->path,
                        "too many items to count; use a smaller maxItems or maxContains");
    }
    const Expression comma = json_comma(grammar_);
    std::vector<Expression> after;
    for (uint32_t at = n_items + 1; at-- > 0;) {
      std::vector<Expression> here(n_fit + 1);
      for (uint32_t n = n_fit + 1; n-- > 0;) {
        const bool ends = at >= counts_.least && n >= contained_.least;
        std::vector<Expression> ways = {ends ? Grammar::kEmpty : Grammar::kNothing};
        const Expression before = at > 0 ? comma : Grammar::kEmpty;
        const bool may_fit = !has_most || n < contained_.most;
        const bool is_last = at == n_items;
        SchemaNodes fitting = schemas_of(at);
        fitting.push_back(contains_);
        const Expression fit = compiler_.value_of(fitting);
        const Expression other = other_item(at, has_most);
        const uint32_t n_next = std::min(n + 1, n_fit);
        Expression loop = Grammar::kEmpty;
        if (!is_last) {
          ways.push_back(grammar_.sequence({before, other, after[n]}));
          if (may_fit) ways.push_back(grammar_.sequence({before, fit, after[n_next]}));
        } else if (is_endless) {
          loop = grammar_.repeat(grammar_.sequence({before, other}), 0, Grammar::kUnbounded);
          const bool goes_on = may_fit && n_next != n;
          if (goes_on) ways.push_back(grammar_.sequence({before, fit, here[n_next]}));
        }
        here[n] = compiler_.as_rule(grammar_.sequence({loop, grammar_.choice(ways)}), path_);
      }
      after = std::move(here);
    }
    return after[0];
  }

  // An item that is not counted. Without a most it may fit, too.
  Expression other_item(uint32_t at, bool has_most) {
    SchemaNodes schemas = schemas_of(at);
    if (has_most) {
      SchemaNode unlike = *contains_;
      unlike.is_negated = true;
      schemas.push_back(compiler_.source().add(std::move(unlike)));
    }
    return compiler_.value_of(std::move(schemas));
  }

  Result<bool> reads_unique() {
    for (const SchemaNode* node : alternative_.with("uniqueItems")) {
      const Json& unique = *node->schema->find("uniqueItems");
      if (!unique.is_bool()) {
        return make_error(ErrorCode::BadValue, node->path + ".uniqueItems",
                          "must be true or false");
      }
      if (unique.boolean() && counts_.most > 1) return true;
    }
    return false;
  }

  Result<Expression> compile_different() {
    const SchemaNodes schemas = schemas_of(0);
    if (schemas.size() == 1 && n_first_ == 0 && contains_ == nullptr) {
      return compile_different_items(compiler_, *schemas[0], counts_, place_of("uniqueItems"));
    }
    return cannot_differ(place_of("uniqueItems"));
  }

  [[nodiscard]] std::string place_of(const char* keyword) const {
    const SchemaNodes nodes = alternative_.with(keyword);
    return nodes.empty() ? path_ : concat({nodes[0]->path, ".", keyword});
  }

  SchemaCompiler& compiler_;
  Grammar& grammar_;
  const SchemaAlternative& alternative_;
  std::string path_;
  std::vector<ItemGroup> groups_;
  uint32_t n_first_ = 0;
  bool has_others_ = false;
  Counts counts_;
  const SchemaNode* contains_ = nullptr;
  Counts contained_;
};

}  // namespace

Result<Expression> compile_array(SchemaCompiler& compiler, const SchemaAlternative& alternative) {
  return ArrayWriter(compiler, alternative).compile();
}

}  // namespace ambry::text
