// Strings: lengths, patterns, formats, and values that are listed or excluded. One condition is
// written as it is; several become the automaton of what they allow together.
#include <algorithm>
#include <string>
#include <vector>

#include "text/grammar/form/form_limits.h"
#include "text/grammar/form/regex.h"
#include "text/grammar/schema/json_text.h"
#include "text/grammar/schema/schema_compiler.h"
#include "text/grammar/schema/string_formats.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using io::Json;

// Longer strings are not written where another condition counts the characters, too.
constexpr uint32_t kMaxCountedLength = 500;

// What a format says of strings.
enum class FormatUse : uint8_t { Enforced, Ignored, Refused };

// Some formats only say how a program holds the value. A format that is not known is an annotation
// beside a pattern, as that of base64 and others in zod's schemas.
FormatUse use_of(const SchemaNode& node, const Json& format) {
  constexpr std::string_view kIgnored[] = {"password", "binary", "int8",  "int16",
                                           "int32",    "int64",  "uint8", "uint16",
                                           "uint32",   "uint64", "float", "double"};
  if (!format.is_string()) return FormatUse::Refused;
  if (is_string_format(format.string())) return FormatUse::Enforced;
  const bool is_ignored = std::ranges::count(kIgnored, format.string()) > 0;
  const bool has_pattern = node.schema->find("pattern") != nullptr && !node.is_negated;
  return is_ignored || has_pattern ? FormatUse::Ignored : FormatUse::Refused;
}

struct Condition {
  std::string_view keyword;
  const SchemaNode* node = nullptr;
  Belongs belongs = Belongs::Yes;
};

class StringWriter {
 public:
  StringWriter(SchemaCompiler& compiler, const SchemaAlternative& alternative, StringUse use)
      : compiler_(compiler), alternative_(alternative), use_(use) {}

  Result<Expression> compile() {
    AMBRY_TRY(counts_, read_counts(alternative_, "minLength", "maxLength"));
    if (counts_.least > counts_.most) return Grammar::kNothing;
    AMBRY_RETURN_IF_ERROR(read_conditions());
    Grammar& grammar = compiler_.grammar();
    const bool has_lengths = counts_.least > 0 || counts_.most != Grammar::kUnbounded;
    const bool is_key = use_ == StringUse::Key;
    if (conditions_.empty() && !has_lengths && !is_key) return compiler_.any_string();
    if (conditions_.empty()) {
      const Expression any =
          is_key ? json_char(grammar, CodePointSet::all()) : any_json_char(grammar);
      return finished(grammar.repeat(any, counts_.least, counts_.most));
    }
    if (conditions_.size() == 1 && !has_lengths && conditions_[0].belongs == Belongs::Yes) {
      std::vector<Lookahead> lookaheads;
      AMBRY_TRY(const Expression content, write(grammar, conditions_[0], lookaheads));
      if (lookaheads.empty()) return finished(content);
    }
    Intersection texts(alternative_.nodes[0]->path);
    AMBRY_RETURN_IF_ERROR(add_lengths(texts));
    for (const Condition& condition : conditions_) {
      AMBRY_RETURN_IF_ERROR(add(texts, condition));
    }
    AMBRY_TRY(const Expression content, compiler_.texts_of(texts));
    return finished(content);
  }

 private:
  Expression finished(Expression content) {
    if (use_ == StringUse::Key) return content;
    const Expression quote = compiler_.grammar().literal("\"");
    return compiler_.grammar().sequence({quote, content, quote});
  }

  Result<void> read_conditions() {
    listed_ = listed_scalars(alternative_);
    excluded_ = excluded_scalars(alternative_);
    const auto is_string = [](const Json& value) { return value.is_string(); };
    if (listed_) conditions_.push_back({"enum", nullptr, Belongs::Yes});
    for (const bool is_negated : {false, true}) {
      const Belongs belongs = is_negated ? Belongs::No : Belongs::Yes;
      for (const SchemaNode* node : alternative_.with("pattern", is_negated)) {
        conditions_.push_back({"pattern", node, belongs});
      }
      for (const SchemaNode* node : alternative_.with("format", is_negated)) {
        const Json& format = *node->schema->find("format");
        const FormatUse use = use_of(*node, format);
        if (use == FormatUse::Ignored && !is_negated) continue;
        if (use != FormatUse::Enforced) {
          return make_error(ErrorCode::Unsupported, node->path + ".format",
                            {"the format ", format.dump(),
                             " is not supported; these are: ", string_format_names()});
        }
        conditions_.push_back({"format", node, belongs});
      }
    }
    if (std::ranges::any_of(excluded_, is_string)) {
      conditions_.push_back({"enum", nullptr, Belongs::No});
    }
    return {};
  }

  static Expression write_values(Grammar& grammar, const std::vector<Json>& values) {
    std::vector<Expression> ways;
    for (const Json& value : values) {
      if (!value.is_string()) continue;
      const std::string content = json_content(value.string());
      ways.push_back(content.empty() ? Grammar::kEmpty : grammar.literal(content));
    }
    return grammar.choice(ways);
  }

  Result<Expression> write(Grammar& grammar, const Condition& condition,
                           std::vector<Lookahead>& lookaheads) const {
    if (condition.keyword == "enum") {
      return write_values(grammar, condition.belongs == Belongs::Yes ? *listed_ : excluded_);
    }
    const Json& value = *condition.node->schema->find(condition.keyword);
    if (condition.keyword == "format") return *string_format(grammar, value.string());
    const std::string path = condition.node->path + ".pattern";
    if (!value.is_string()) {
      return make_error(ErrorCode::BadValue, path, "pattern must be a string");
    }
    return parse_regex(grammar, value.string(), path, RegexMatch::Somewhere, json_char,
                       &lookaheads);
  }

  Result<void> add(Intersection& texts, const Condition& condition) const {
    if (condition.keyword == "pattern") {
      return add_pattern(texts, *condition.node->schema->find("pattern"),
                         condition.node->path + ".pattern", condition.belongs);
    }
    return add_written(texts, condition.belongs, [&](Grammar& grammar) {
      std::vector<Lookahead> none;
      return write(grammar, condition, none);
    });
  }

  // All strings of the lengths that are asked for. Others are never part of the intersection.
  Result<void> add_lengths(Intersection& texts) const {
    uint32_t most = counts_.most;
    if (most != Grammar::kUnbounded) {
      most = std::min(most, std::max(counts_.least, kMaxCountedLength));
    }
    return add_written(texts, Belongs::Yes, [&](Grammar& grammar) -> Result<Expression> {
      return grammar.repeat(json_char(grammar, CodePointSet::all()), counts_.least, most);
    });
  }

  SchemaCompiler& compiler_;
  const SchemaAlternative& alternative_;
  StringUse use_;
  Counts counts_;
  std::optional<std::vector<Json>> listed_;
  std::vector<Json> excluded_;
  std::vector<Condition> conditions_;
};

}  // namespace

Result<void> add_pattern(Intersection& texts, const Json& pattern, const std::string& path,
                         Belongs belongs) {
  if (!pattern.is_string()) {
    return make_error(ErrorCode::BadValue, path, "pattern must be a string");
  }
  Grammar grammar;
  const Grammar::Rule rule = grammar.add_rule("text");
  std::vector<Lookahead> lookaheads;
  AMBRY_TRY(const Expression text, parse_regex(grammar, pattern.string(), path,
                                               RegexMatch::Somewhere, json_char, &lookaheads));
  if (belongs == Belongs::No && !lookaheads.empty()) {
    return make_error(ErrorCode::Unsupported, path,
                      "the opposite of a pattern with lookaheads is not supported");
  }
  grammar.define(rule, text);
  AMBRY_RETURN_IF_ERROR(texts.add(grammar, belongs));
  for (const Lookahead& lookahead : lookaheads) {
    grammar.define(rule, lookahead.text);
    const Belongs side = lookahead.is_negative ? Belongs::No : Belongs::Yes;
    AMBRY_RETURN_IF_ERROR(texts.add(grammar, side));
  }
  return {};
}

Result<Expression> compile_string(SchemaCompiler& compiler, const SchemaAlternative& alternative,
                                  StringUse use) {
  return StringWriter(compiler, alternative, use).compile();
}

}  // namespace ambry::text
