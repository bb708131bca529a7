#include "text/grammar/form/regex.h"

#include <vector>

#include "text/grammar/form/form_limits.h"
#include "text/grammar/form/form_reader.h"
#include "text/grammar/form/regex_escape.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class RegexParser {
 public:
  RegexParser(Grammar& grammar, std::string_view text, std::string_view path, RegexMatch match,
              Spelling spelling, std::vector<Lookahead>* lookaheads)
      : grammar_(grammar),
        reader_(text, path),
        match_(match),
        spelling_(spelling),
        lookaheads_(lookaheads) {}

  Result<Expression> parse() {
    AMBRY_RETURN_IF_ERROR(reader_.check());
    AMBRY_RETURN_IF_ERROR(parse_lookaheads());
    AMBRY_TRY(const Expression whole, parse_choice(0));
    if (!reader_.at_end()) return reader_.bad("this ) closes nothing");
    return whole;
  }

 private:
  // The lookaheads after ^ at the start, each of which describes the whole text.
  Result<void> parse_lookaheads() {
    const bool begins = reader_.sees("^(?=") || reader_.sees("^(?!");
    if (lookaheads_ == nullptr || !begins) return {};
    reader_.take("^");
    for (;;) {
      const size_t begin = reader_.position();
      const bool is_negative = reader_.take("(?!");
      if (!is_negative && !reader_.take("(?=")) break;
      is_in_lookahead_ = true;
      AMBRY_TRY(const Expression text, parse_choice(0));
      is_in_lookahead_ = false;
      if (!reader_.take(")")) {
        return reader_.fail(ErrorCode::BadValue, begin, "this ( is not closed");
      }
      lookaheads_->push_back({text, is_negative});
    }
    is_begun_ = true;
    return {};
  }

  Result<Expression> parse_choice(unsigned depth) {
    std::vector<Expression> alternatives;
    do {
      AMBRY_TRY(const Expression alternative, parse_alternative(depth));
      alternatives.push_back(alternative);
      // The lookaheads would be a condition on the first alternative only.
      if (depth == 0 && is_begun_ && reader_.sees("|")) {
        return reader_.fail(ErrorCode::Unsupported, reader_.position(),
                            "lookaheads are supported only before a single alternative");
      }
    } while (reader_.take("|"));
    return grammar_.choice(alternatives);
  }

  Result<Expression> parse_alternative(unsigned depth) {
    std::vector<Expression> parts;
    const bool is_outer = depth == 0;
    const bool begins = is_outer && (reader_.take("^") || is_begun_ || is_in_lookahead_);
    bool ends = false;
    while (!reader_.at_end() && !reader_.sees("|") && !reader_.sees(")")) {
      const size_t begin = reader_.position();
      if (is_outer && reader_.take("$")) {
        ends = true;
        const bool ends_here = reader_.at_end() || reader_.sees("|") || reader_.sees(")");
        if (!ends_here) return anchor_inside(begin);
        break;
      }
      AMBRY_TRY(Expression part, parse_part(depth));
      AMBRY_TRY(part, parse_repetition(part));
      parts.push_back(part);
    }
    const Expression matched = grammar_.sequence(parts);
    if (!is_outer || match_ == RegexMatch::Whole) return matched;
    const Expression before = begins ? Grammar::kEmpty : any_text();
    const Expression after = ends ? Grammar::kEmpty : any_text();
    return grammar_.sequence({before, matched, after});
  }

  Expression any_text() {
    return grammar_.repeat(spelling_(grammar_, CodePointSet::all()), 0, Grammar::kUnbounded);
  }

  [[nodiscard]] Failure anchor_inside(size_t position) const {
    return reader_.fail(ErrorCode::Unsupported, position,
                        "^ and $ are supported only at the ends of the expression and of its outer "
                        "alternatives");
  }

  Result<Expression> parse_part(unsigned depth) {
    const size_t begin = reader_.position();
    switch (reader_.peek()) {
      case '(':
        return parse_group(depth);
      case '[':
        return parse_class();
      case '^':
      case '$':
        return anchor_inside(begin);
      case '*':
      case '+':
      case '?':
      case '{':
        return reader_.bad(
            "there is nothing to repeat; for the character itself write \\ before it");
      case ']':
      case '}':
        return reader_.bad(
            "this bracket closes nothing; for the character itself write \\ before it");
      default:
        break;
    }
    if (reader_.take("\\")) {
      AMBRY_TRY(const RegexEscape escape, read_regex_escape(reader_, false));
      return spelling_(grammar_, escape.set);
    }
    if (reader_.take(".")) {
      const CodePointSet line_ends = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};
      return spelling_(grammar_, line_ends.complement());
    }
    const char32_t c = reader_.take_code_point();
    return spelling_(grammar_, {{c, c}});
  }

  Result<Expression> parse_group(unsigned depth) {
    const size_t begin = reader_.position();
    if (depth >= kMaxGroupDepth) {
      return reader_.fail(ErrorCode::LimitExceeded, begin,
                          {"groups can be in ", kMaxGroupDepth, " groups at most"});
    }
    reader_.take("(");
    if (reader_.sees("?=") || reader_.sees("?!") || reader_.sees("?<=") || reader_.sees("?<!")) {
      return reader_.fail(ErrorCode::Unsupported, begin, "lookarounds are not supported");
    }
    if (reader_.take("?<")) {
      const auto in_name = [](char c) { return c != '>' && c != '(' && c != ')' && c != '|'; };
      const std::string_view name = reader_.take_while(in_name);
      if (name.empty() || !reader_.take(">")) return reader_.bad("the name of a group is expected");
    } else if (!reader_.take("?:") && reader_.sees("?")) {
      return reader_.fail(ErrorCode::Unsupported, begin, "flags of a group are not supported");
    }
    AMBRY_TRY(const Expression group, parse_choice(depth + 1));
    if (!reader_.take(")")) {
      return reader_.fail(ErrorCode::BadValue, begin, "this ( is not closed");
    }
    return group;
  }

  Result<Expression> parse_repetition(Expression part) {
    uint32_t least = 0;
    uint32_t most = Grammar::kUnbounded;
    const size_t begin = reader_.position();
    if (reader_.take("*")) {
    } else if (reader_.take("+")) {
      least = 1;
    } else if (reader_.take("?")) {
      most = 1;
    } else if (reader_.take("{")) {
      AMBRY_TRY(least, reader_.take_count());
      most = least;
      if (reader_.take(",")) {
        most = Grammar::kUnbounded;
        if (is_digit(reader_.peek())) AMBRY_TRY(most, reader_.take_count());
      }
      if (!reader_.take("}")) return reader_.bad("} is expected after the number of repetitions");
    } else {
      return part;
    }
    if (least > most) {
      return reader_.fail(ErrorCode::BadValue, begin, "the least number is larger than the most");
    }
    // A lazy repetition matches the same texts.
    reader_.take("?");
    return grammar_.repeat(part, least, most);
  }

  Result<Expression> parse_class() {
    const size_t begin = reader_.position();
    reader_.take("[");
    const bool is_negated = reader_.take("^");
    CodePointSet set;
    for (size_t n = 0; !reader_.take("]"); ++n) {
      if (n == kMaxClassParts) {
        return reader_.fail(ErrorCode::LimitExceeded, begin,
                            {"a class can have ", uint64_t{kMaxClassParts}, " parts at most"});
      }
      if (reader_.at_end()) return reader_.fail(ErrorCode::BadValue, begin, "this [ is not closed");
      AMBRY_RETURN_IF_ERROR(parse_class_part(set));
    }
    return spelling_(grammar_, is_negated ? set.complement() : set);
  }

  Result<void> parse_class_part(CodePointSet& set) {
    const size_t begin = reader_.position();
    AMBRY_TRY(const RegexEscape first, parse_class_char());
    if (!reader_.sees("-") || reader_.sees("-]")) {
      set.add(first.set);
      return {};
    }
    reader_.take("-");
    if (reader_.at_end()) return {};
    AMBRY_TRY(const RegexEscape last, parse_class_char());
    if (first.is_class || last.is_class) {
      return reader_.fail(ErrorCode::BadValue, begin, "a range needs a character at both ends");
    }
    const uint32_t low = first.set.ranges()[0].first;
    const uint32_t high = last.set.ranges()[0].first;
    if (low > high) {
      return reader_.fail(ErrorCode::BadValue, begin, "the range begins after its end");
    }
    set.add(low, high);
    return {};
  }

  // Not at the end.
  Result<RegexEscape> parse_class_char() {
    if (reader_.take("\\")) return read_regex_escape(reader_, true);
    const char32_t c = reader_.take_code_point();
    return RegexEscape{{{c, c}}, false};
  }

  Grammar& grammar_;
  FormReader reader_;
  RegexMatch match_;
  Spelling spelling_;
  std::vector<Lookahead>* lookaheads_;
  bool is_in_lookahead_ = false;
  bool is_begun_ = false;  // ^ and lookaheads have been read
};

}  // namespace

Result<Expression> parse_regex(Grammar& grammar, std::string_view text, std::string_view path,
                               RegexMatch match, Spelling spelling,
                               std::vector<Lookahead>* lookaheads) {
  return RegexParser(grammar, text, path, match, spelling, lookaheads).parse();
}

}  // namespace ambry::text
