#include "text/grammar/form/gbnf.h"

#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "text/grammar/form/code_point_set.h"
#include "text/grammar/form/form_limits.h"
#include "text/grammar/form/form_reader.h"
#include "text/grammar/form/word_interner.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

class GbnfParser {
 public:
  GbnfParser(std::string_view text, std::string_view path) : reader_(text, path) {
    static_cast<void>(rule_named("root", 0));
  }

  Result<Grammar> parse() {
    AMBRY_RETURN_IF_ERROR(reader_.check());
    skip_space(true);
    while (!reader_.at_end()) AMBRY_RETURN_IF_ERROR(parse_rule());
    for (const NamedRule& rule : rules_) {
      if (rule.is_defined) continue;
      if (rule.name == "root") {
        return reader_.fail(ErrorCode::NotFound, 0,
                            "there is no rule root, with which answers begin");
      }
      return reader_.fail(ErrorCode::NotFound, rule.first_use,
                          {"the rule ", rule.name, " is used, but not defined"});
    }
    return std::move(grammar_);
  }

 private:
  struct NamedRule {
    std::string name;
    size_t first_use = 0;
    bool is_defined = false;
  };

  // White space and comments.
  void skip_space(bool with_lines) {
    for (;;) {
      reader_.take_while([&](char c) {
        return c == ' ' || c == '\t' || (with_lines && (c == '\r' || c == '\n'));
      });
      if (reader_.peek() != '#') return;
      reader_.take_while([](char c) { return c != '\r' && c != '\n'; });
    }
  }

  Grammar::Rule rule_named(std::string_view name, size_t position) {
    const std::vector<uint32_t> key(name.begin(), name.end());
    const WordInterner::Interned made = names_.intern(key);
    if (made.is_new) {
      rules_.push_back({std::string(name), position, false});
      static_cast<void>(grammar_.add_rule(name));
    }
    return made.id;
  }

  Result<void> parse_rule() {
    const size_t begin = reader_.position();
    const std::string_view name = reader_.take_while(is_name_char);
    if (name.empty()) return reader_.bad("the name of a rule is expected");
    const Grammar::Rule rule = rule_named(name, begin);
    if (rules_[rule].is_defined) {
      return reader_.fail(ErrorCode::BadValue, begin, {"the rule ", name, " is defined twice"});
    }
    skip_space(false);
    if (!reader_.take("::=")) return reader_.bad({"::= is expected after the rule's name ", name});
    skip_space(true);
    AMBRY_TRY(const Expression expression, parse_choice(0));
    grammar_.define(rule, expression);
    rules_[rule].is_defined = true;
    const bool ends = reader_.at_end() || reader_.peek() == '\r' || reader_.peek() == '\n';
    if (!ends) return reader_.bad("a part of a rule, | or the end of the line is expected");
    skip_space(true);
    return {};
  }

  Result<Expression> parse_choice(unsigned depth) {
    std::vector<Expression> alternatives;
    do {
      skip_space(!alternatives.empty() || depth > 0);
      AMBRY_TRY(const Expression alternative, parse_sequence(depth));
      alternatives.push_back(alternative);
    } while (reader_.take("|"));
    return grammar_.choice(alternatives);
  }

  Result<Expression> parse_sequence(unsigned depth) {
    std::vector<Expression> parts;
    for (;;) {
      const char c = reader_.peek();
      if (c != '"' && c != '[' && c != '(' && c != '.' && !is_name_char(c)) break;
      AMBRY_TRY(Expression part, parse_part(depth));
      skip_space(depth > 0);
      AMBRY_TRY(part, parse_repetitions(part, depth));
      parts.push_back(part);
    }
    return grammar_.sequence(parts);
  }

  Result<Expression> parse_part(unsigned depth) {
    if (reader_.take("\"")) return parse_literal();
    if (reader_.take("[")) return parse_class();
    if (reader_.take(".")) return utf8_of(grammar_, CodePointSet::all());
    if (!reader_.take("(")) {
      const size_t begin = reader_.position();
      return grammar_.reference(rule_named(reader_.take_while(is_name_char), begin));
    }
    if (depth >= kMaxGroupDepth) {
      return reader_.fail(ErrorCode::LimitExceeded, reader_.position(),
                          {"groups can be in ", kMaxGroupDepth, " groups at most"});
    }
    AMBRY_TRY(const Expression group, parse_choice(depth + 1));
    if (!reader_.take(")")) return reader_.bad("a part of a rule or ) is expected");
    return group;
  }

  Result<Expression> parse_repetitions(Expression part, unsigned depth) {
    for (;;) {
      if (reader_.take("*")) {
        part = grammar_.repeat(part, 0, Grammar::kUnbounded);
      } else if (reader_.take("+")) {
        part = grammar_.repeat(part, 1, Grammar::kUnbounded);
      } else if (reader_.take("?")) {
        part = grammar_.optional(part);
      } else if (reader_.take("{")) {
        AMBRY_TRY(part, parse_counts(part, depth));
      } else {
        return part;
      }
      skip_space(depth > 0);
    }
  }

  Result<Expression> parse_counts(Expression part, unsigned depth) {
    skip_space(depth > 0);
    const size_t begin = reader_.position();
    AMBRY_TRY(const uint32_t least, reader_.take_count());
    skip_space(depth > 0);
    uint32_t most = least;
    if (reader_.take(",")) {
      skip_space(depth > 0);
      most = Grammar::kUnbounded;
      if (reader_.peek() != '}') AMBRY_TRY(most, reader_.take_count());
      skip_space(depth > 0);
    }
    if (!reader_.take("}")) return reader_.bad("} is expected after the number of repetitions");
    if (least > most) {
      return reader_.fail(ErrorCode::BadValue, begin,
                          {"the least number, ", least, ", is larger than the most, ", most});
    }
    return grammar_.repeat(part, least, most);
  }

  Result<Expression> parse_literal() {
    const size_t begin = reader_.position() - 1;
    std::string text;
    while (!reader_.take("\"")) {
      if (reader_.at_end())
        return reader_.fail(ErrorCode::BadValue, begin, "this \" is not closed");
      AMBRY_TRY(const char32_t c, parse_char());
      append_utf8(text, c);
    }
    return grammar_.literal(text);
  }

  Result<Expression> parse_class() {
    const size_t begin = reader_.position() - 1;
    const bool is_negated = reader_.take("^");
    CodePointSet set;
    for (size_t n = 0; !reader_.take("]"); ++n) {
      if (reader_.at_end()) return reader_.fail(ErrorCode::BadValue, begin, "this [ is not closed");
      if (n == kMaxClassParts) {
        return reader_.fail(ErrorCode::LimitExceeded, begin,
                            {"a class can have ", uint64_t{kMaxClassParts}, " parts at most"});
      }
      const size_t at = reader_.position();
      AMBRY_TRY(const char32_t first, parse_char());
      char32_t last = first;
      if (reader_.sees("-") && !reader_.sees("-]")) {
        reader_.take("-");
        if (reader_.at_end()) continue;
        AMBRY_TRY(last, parse_char());
      }
      if (first > last) {
        return reader_.fail(ErrorCode::BadValue, at, "the range begins after its end");
      }
      set.add(first, last);
    }
    return utf8_of(grammar_, is_negated ? set.complement() : set);
  }

  // A character of a literal or a class. Not at the end.
  Result<char32_t> parse_char() {
    if (!reader_.take("\\")) return reader_.take_code_point();
    const size_t at = reader_.position() - 1;
    char32_t c = 0;
    switch (reader_.at_end() ? U'\0' : reader_.take_code_point()) {
      case 'x':
        AMBRY_TRY(c, reader_.take_hex(2));
        break;
      case 'u':
        AMBRY_TRY(c, reader_.take_hex(4));
        break;
      case 'U':
        AMBRY_TRY(c, reader_.take_hex(8));
        break;
      case 't':
        return U'\t';
      case 'r':
        return U'\r';
      case 'n':
        return U'\n';
      case '\\':
        return U'\\';
      case '"':
        return U'"';
      case '[':
        return U'[';
      case ']':
        return U']';
      default:
        return reader_.fail(ErrorCode::BadValue, at,
                            "after \\ one of x u U t r n \\ \" [ ] is expected");
    }
    const bool is_scalar = c <= CodePointSet::kLast && (c < 0xD800 || c > 0xDFFF);
    if (!is_scalar) return reader_.fail(ErrorCode::BadValue, at, "this is no character of Unicode");
    return c;
  }

  FormReader reader_;
  Grammar grammar_;
  std::vector<NamedRule> rules_;  // by their number in the grammar
  WordInterner names_;            // gives the same numbers
};

}  // namespace

Result<Grammar> parse_gbnf(std::string_view text, std::string_view path) {
  return GbnfParser(text, path).parse();
}

}  // namespace ambry::text
