#include "text/grammar/schema/schema_alternatives.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "text/grammar/schema/keywords.h"

namespace ambry::text {
namespace {

using io::Json;

constexpr size_t kMaxAlternatives = 4096;

// Ways of which a value takes one.
using Choice = std::vector<SchemaNodes>;

struct Pending {
  SchemaAlternative made;
  SchemaNodes nodes;  // still to be looked at, the next one last
  std::vector<const Choice*> choices;
};

// What the keywords of a node apply to the same value.
struct Applied {
  SchemaNodes nodes;
  std::vector<const Choice*> choices;
  bool is_possible = true;
};

bool is_list(const Json& value) { return value.is_array() && !value.items().empty(); }

Failure needs_schemas(const SchemaNode& node, std::string_view keyword) {
  return make_error(ErrorCode::BadValue, {node.path, ".", keyword},
                    {keyword, " must be a list of one or more schemas"});
}

bool is_same(const SchemaNode& a, const SchemaNode& b) {
  return a.schema == b.schema && a.keyword == b.keyword;
}

class Expander {
 public:
  explicit Expander(SchemaSource& source) : source_(source) {}

  Result<std::vector<SchemaAlternative>> run(const SchemaNodes& all_of) {
    waiting_.push_back({{}, {all_of.rbegin(), all_of.rend()}, {}});
    std::vector<SchemaAlternative> made;
    while (!waiting_.empty()) {
      Pending now = std::move(waiting_.back());
      waiting_.pop_back();
      const bool is_too_large = waiting_.size() + made.size() > kMaxAlternatives;
      if (is_too_large || !source_.take_step(now.made.nodes.size())) {
        return make_error(ErrorCode::LimitExceeded, all_of[0]->path,
                          "this schema has too many alternatives");
      }
      if (!now.nodes.empty()) {
        const SchemaNode* node = now.nodes.back();
        now.nodes.pop_back();
        AMBRY_TRY(const bool is_possible, take(now, node));
        if (is_possible) waiting_.push_back(std::move(now));
      } else if (!now.choices.empty()) {
        const Choice* choice = now.choices.back();
        now.choices.pop_back();
        for (size_t i = choice->size(); i-- > 0;) {
          Pending way = now;
          way.nodes.assign((*choice)[i].rbegin(), (*choice)[i].rend());
          waiting_.push_back(std::move(way));
        }
      } else {
        made.push_back(std::move(now.made));
      }
    }
    return made;
  }

 private:
  // False when no value fits the node and those before it.
  Result<bool> take(Pending& now, const SchemaNode* node) {
    AMBRY_RETURN_IF_ERROR(source_.check(*node));
    if (node->schema->is_bool()) return node->schema->boolean() != node->is_negated;
    AMBRY_RETURN_IF_ERROR(check_circle(*node));
    for (const SchemaNode* known : now.made.nodes) {
      if (is_same(*known, *node)) return known->is_negated == node->is_negated;
    }
    const bool is_opposite = node->is_negated && node->keyword.empty();
    if (!is_opposite) {
      now.made.nodes.push_back(node);
      AMBRY_RETURN_IF_ERROR(limit_types(now.made, *node));
      if (now.made.types == 0) return false;
      if (!node->keyword.empty()) return true;
    }
    AMBRY_TRY(const Applied* more, applied(node));
    now.nodes.insert(now.nodes.end(), more->nodes.rbegin(), more->nodes.rend());
    now.choices.insert(now.choices.end(), more->choices.begin(), more->choices.end());
    return more->is_possible;
  }

  // What a node applies, which is read once: it may be part of many alternatives.
  Result<const Applied*> applied(const SchemaNode* node) {
    const auto address = uint64_t{reinterpret_cast<uintptr_t>(node)};
    const auto known = known_.intern(
        std::array{static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32)});
    if (!known.is_new) return &applied_[known.id];
    Applied& made = applied_.emplace_back();
    if (node->is_negated) {
      AMBRY_TRY(Choice ways, opposites_of(source_, *node));
      add_choice(made, std::move(ways));
    } else {
      AMBRY_RETURN_IF_ERROR(apply(made, node));
    }
    return &made;
  }

  [[nodiscard]] static Result<void> check_circle(const SchemaNode& node) {
    for (const SchemaNode* outer = node.parent; outer != nullptr; outer = outer->parent) {
      if (!is_same(*outer, node)) continue;
      return make_error(ErrorCode::BadValue, node.path, "this schema leads to itself");
    }
    return {};
  }

  static Result<void> limit_types(SchemaAlternative& made, const SchemaNode& node) {
    const Json& schema = *node.schema;
    if (!node.is_negated) {
      AMBRY_TRY(const TypeSet types, allowed_types(schema, node.path));
      made.types &= types;
      const bool lists_values = schema.find("const") != nullptr || schema.find("enum") != nullptr;
      if (schema.find("type") != nullptr || lists_values) made.states_types = true;
      constexpr TypeSet kScalars = kEveryType & ~(kArray | kObject);
      if (!node.keyword.empty()) made.types &= kScalars;
      return {};
    }
    made.states_types = true;
    if (node.keyword == "type") {
      AMBRY_TRY(const TypeSet types, stated_types(schema, node.path));
      made.types &= ~types;
    } else if (node.keyword != "enum" && node.keyword != "const") {
      made.types &= types_of_keyword(node.keyword);
    }
    return {};
  }

  // Adds what the keywords of a schema apply to the same value.
  Result<void> apply(Applied& made, const SchemaNode* node) {
    for (const auto& [name, value] : node->schema->members()) {
      if (name == "$ref" || name == "$dynamicRef") {
        const std::string path = concat({node->path, ".", name});
        AMBRY_TRY(const Json* target, source_.named(value, name == "$dynamicRef", path));
        made.nodes.push_back(source_.add({target, path, false, {}, node}));
      } else if (name == "allOf") {
        if (!is_list(value)) return needs_schemas(*node, name);
        for (size_t i = 0; i < value.items().size(); ++i) made.nodes.push_back(part(node, name, i));
      } else if (name == "not") {
        made.nodes.push_back(source_.add({&value, node->path + ".not", true, {}, node}));
      } else {
        AMBRY_TRY(Choice ways, ways_of(node, name, value));
        if (!ways.empty()) add_choice(made, std::move(ways));
      }
    }
    return add_dependencies(made, node);
  }

  // Nothing for a keyword that offers no choice.
  Result<Choice> ways_of(const SchemaNode* node, const std::string& name, const Json& value) {
    Choice ways;
    if (name == "anyOf" || name == "oneOf") {
      if (!is_list(value)) return needs_schemas(*node, name);
      std::vector<std::vector<size_t>> others(value.items().size());
      if (name == "oneOf") AMBRY_TRY(others, overlaps(source_, *node));
      for (size_t i = 0; i < others.size(); ++i) {
        ways.push_back({part(node, name, i)});
        for (const size_t other : others[i]) ways[i].push_back(part(node, name, other, true));
      }
    } else if (name == "if") {
      const auto branch = [&](const char* keyword, bool is_negated) {
        ways.push_back({source_.add({&value, node->path + ".if", is_negated, {}, node})});
        const Json* then = node->schema->find(keyword);
        const std::string path = concat({node->path, ".", keyword});
        if (then != nullptr) ways.back().push_back(source_.add({then, path, false, {}, node}));
      };
      branch("then", false);
      branch("else", true);
      // Without `then` and `else` it says nothing, but may have looked at properties and items.
      const bool is_idle = ways[0].size() == 1 && ways[1].size() == 1;
      if (is_idle) ways[1].clear();
    } else if (name == "const" || name == "enum") {
      return ways_of_values(node, name, value);
    }
    return ways;
  }

  // Lists and objects that are given become schemas, so that other keywords apply to them.
  Result<Choice> ways_of_values(const SchemaNode* node, const std::string& name,
                                const Json& value) {
    const bool is_list = name == "enum";
    if (is_list && !value.is_array()) {
      return make_error(ErrorCode::BadValue, node->path + ".enum", "enum must be a list");
    }
    Choice ways = {{source_.add({node->schema, node->path, false, name, node})}};
    for (size_t i = 0; i < (is_list ? value.items().size() : 1); ++i) {
      const Json& item = is_list ? value.items()[i] : value;
      if (!item.is_array() && !item.is_object()) continue;
      AMBRY_TRY(const Json* made, source_.made(schema_of_value(item), node->path));
      ways.push_back({source_.add({made, concat({node->path, ".", name}), false, {}, node})});
    }
    return ways;
  }

  // Draft 7 has both kinds of dependencies in one keyword.
  Result<void> add_dependencies(Applied& made, const SchemaNode* node) {
    for (const char* keyword : {"dependentRequired", "dependentSchemas", "dependencies"}) {
      const Json* all = node->schema->find(keyword);
      if (all == nullptr) continue;
      const std::string path = concat({node->path, ".", keyword});
      if (!all->is_object()) {
        return make_error(ErrorCode::BadValue, path, {keyword, " must be an object"});
      }
      for (const auto& [name, value] : all->members()) {
        Json names = value.is_array() ? value : Json::array();
        names.append(name);
        Json present = Json::object();
        present.set("type", "object");
        present.set("required", std::move(names));
        Json never = Json::object();
        never.set(name, false);
        Json absent = Json::object();
        absent.set("properties", std::move(never));
        AMBRY_TRY(const Json* without, source_.made(std::move(absent), path));
        AMBRY_TRY(const Json* with, source_.made(std::move(present), path));
        Choice ways = {{source_.add({without, path, false, {}, node})},
                       {source_.add({with, path, false, {}, node})}};
        const std::string place = concat({path, ".", name});
        if (!value.is_array()) ways[1].push_back(source_.add({&value, place, false, {}, node}));
        add_choice(made, std::move(ways));
      }
    }
    return {};
  }

  const SchemaNode* part(const SchemaNode* node, const std::string& keyword, size_t i,
                         bool is_negated = false) {
    const Json& schema = node->schema->find(keyword)->items()[i];
    const std::string path = concat({node->path, ".", keyword, "[", uint64_t{i}, "]"});
    return source_.add({&schema, path, is_negated, {}, node});
  }

  void add_choice(Applied& made, Choice ways) {
    if (ways.empty()) made.is_possible = false;
    if (ways.size() == 1) {
      made.nodes.insert(made.nodes.end(), ways[0].begin(), ways[0].end());
    } else if (!ways.empty()) {
      choices_.push_back(std::move(ways));
      made.choices.push_back(&choices_.back());
    }
  }

  SchemaSource& source_;
  std::vector<Pending> waiting_;
  std::deque<Choice> choices_;
  WordInterner known_;  // the addresses of nodes, in the order of applied_
  std::deque<Applied> applied_;
};

}  // namespace

SchemaNodes SchemaAlternative::with(std::string_view keyword, bool is_negated) const {
  const bool is_whole = !is_negated && keyword != "enum" && keyword != "const";
  SchemaNodes found;
  for (const SchemaNode* node : nodes) {
    const bool counts = node->keyword == keyword || (is_whole && node->keyword.empty());
    if (node->is_negated != is_negated || !counts) continue;
    if (node->schema->find(keyword) != nullptr) found.push_back(node);
  }
  return found;
}

bool is_applied_by(const SchemaNode& part, const SchemaNode& by) {
  const SchemaNode* node = &part;
  while (node != nullptr && !node->is_negated && node != &by) node = node->parent;
  return node == &by;
}

Result<std::vector<SchemaAlternative>> alternatives_of(SchemaSource& source,
                                                       const SchemaNodes& all_of) {
  return Expander(source).run(all_of);
}

}  // namespace ambry::text
