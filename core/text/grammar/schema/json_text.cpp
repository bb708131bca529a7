#include "text/grammar/schema/json_text.h"

#include <cmath>
#include <string>
#include <vector>

#include "base/concat.h"
#include "base/order.h"
#include "base/utf8.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using io::Json;

const CodePointSet::Range kControls = {0, 0x1F};

// The characters that a JSON string may hold as they are.
CodePointSet unescaped() {
  CodePointSet escaped = {kControls, {'"', '"'}, {'\\', '\\'}};
  return escaped.complement();
}

// The escape of JSON for a control character, a quote or a backslash.
std::string escape_of(uint32_t c) {
  switch (c) {
    case '\b':
      return "\\b";
    case '\t':
      return "\\t";
    case '\n':
      return "\\n";
    case '\f':
      return "\\f";
    case '\r':
      return "\\r";
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    default:
      break;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  return std::string("\\u00") + kDigits[c >> 4] + kDigits[c & 15];
}

Expression hex_digits(Grammar& grammar, uint32_t count) {
  ByteSet digits('0', '9');
  digits.add('A', 'F');
  digits.add('a', 'f');
  return grammar.repeat(grammar.bytes(digits), count, count);
}

Expression one_of(Grammar& grammar, std::string_view characters) {
  ByteSet set;
  for (const char c : characters) set.add(static_cast<uint8_t>(c), static_cast<uint8_t>(c));
  return grammar.bytes(set);
}

// The four digits of \u for a character, or for both halves of a pair.
Expression unicode_escape(Grammar& grammar) {
  const Expression d = one_of(grammar, "Dd");
  ByteSet other('0', '9');
  other.add('A', 'C');
  other.add('a', 'c');
  other.add('E', 'F');
  other.add('e', 'f');
  return grammar.choice({grammar.sequence({grammar.bytes(other), hex_digits(grammar, 3)}),
                         grammar.sequence({d, grammar.bytes('0', '7'), hex_digits(grammar, 2)}),
                         grammar.sequence({d, one_of(grammar, "89ABab"), hex_digits(grammar, 2),
                                           grammar.literal("\\u"), d, one_of(grammar, "CDEFcdef"),
                                           hex_digits(grammar, 2)})});
}

// The keys as a trie: the texts that differ from all of keys[begin] … keys[end - 1], which share
// their first `depth` characters. Keys are sorted, and have no two equal ones.
class OtherKeys {
 public:
  OtherKeys(Grammar& grammar, std::vector<std::u32string> keys)
      : grammar_(grammar), keys_(std::move(keys)) {
    // A rule, because every character of every key may be followed by it.
    const Grammar::Rule rest = grammar.add_rule("key");
    grammar.define(rest, grammar.repeat(utf8_of(grammar, unescaped()), 0, Grammar::kUnbounded));
    rest_ = grammar.reference(rest);
  }

  Expression after(size_t begin, size_t end, size_t depth) {
    const bool has_ended = begin < end && keys_[begin].size() == depth;
    if (has_ended) ++begin;
    CodePointSet other = unescaped();
    std::vector<Expression> ways;
    for (size_t i = begin; i < end;) {
      const char32_t c = keys_[i][depth];
      size_t stop = i;
      while (stop < end && keys_[stop][depth] == c) ++stop;
      other = other.without({{c, c}});
      // Deeper than any real key; such keys are left out with all that they begin.
      constexpr size_t kMaxDepth = 200;
      if (depth < kMaxDepth && unescaped().has(c)) {
        ways.push_back(grammar_.sequence({utf8_of(grammar_, {{c, c}}), after(i, stop, depth + 1)}));
      }
      i = stop;
    }
    ways.push_back(grammar_.sequence({utf8_of(grammar_, other), rest_}));
    if (!has_ended) ways.push_back(Grammar::kEmpty);
    return grammar_.choice(ways);
  }

 private:
  Grammar& grammar_;
  std::vector<std::u32string> keys_;
  Expression rest_ = Grammar::kNothing;
};

std::u32string code_points(std::string_view text) {
  std::u32string made;
  for (size_t i = 0; i < text.size();) {
    const DecodedCodePoint c = decode_utf8(text, i);
    made += c.code_point;
    i += c.n_bytes;
  }
  return made;
}

template <class Part>
Expression listed(Grammar& grammar, char open, size_t count, char close, const Part& part) {
  std::vector<Expression> parts = {grammar.bytes(open, open)};
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) parts.push_back(json_comma(grammar));
    parts.push_back(part(i));
  }
  parts.push_back(grammar.bytes(close, close));
  return grammar.sequence(parts);
}

}  // namespace

Expression json_char(Grammar& grammar, const CodePointSet& set) {
  const CodePointSet plain = unescaped();
  std::vector<Expression> ways = {utf8_of(grammar, set.within(plain))};
  const CodePointSet escaped = set.without(plain);
  for (const auto& [first, last] : escaped.ranges()) {
    for (uint32_t c = first; c <= last; ++c) ways.push_back(grammar.literal(escape_of(c)));
  }
  return grammar.choice(ways);
}

Expression any_json_char(Grammar& grammar) {
  const Expression after =
      grammar.choice({one_of(grammar, "\"\\/bfnrt"),
                      grammar.sequence({grammar.literal("u"), unicode_escape(grammar)})});
  return grammar.choice(
      {utf8_of(grammar, unescaped()), grammar.sequence({grammar.literal("\\"), after})});
}

Expression json_space(Grammar& grammar) { return grammar.optional(grammar.literal(" ")); }

Expression json_comma(Grammar& grammar) {
  return grammar.sequence({grammar.literal(","), json_space(grammar)});
}

std::string json_content(std::string_view text) {
  std::string content;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte <= kControls.last || c == '"' || c == '\\') {
      content += escape_of(byte);
    } else {
      content += c;
    }
  }
  return content;
}

Expression json_key(Grammar& grammar, std::string_view key) {
  return grammar.sequence(
      {grammar.literal(concat({"\"", json_content(key), "\":"})), json_space(grammar)});
}

Expression json_key_except(Grammar& grammar, const std::vector<std::string_view>& keys) {
  std::vector<std::u32string> sorted;
  sorted.reserve(keys.size());
  for (const std::string_view key : keys) sorted.push_back(code_points(key));
  sort_items(sorted, [](const std::u32string& a, const std::u32string& b) { return a < b; });
  const size_t n_keys = sorted.size();
  const Expression other = OtherKeys(grammar, std::move(sorted)).after(0, n_keys, 0);
  return grammar.sequence(
      {grammar.literal("\""), other, grammar.literal("\":"), json_space(grammar)});
}

// The depth is bounded by that of JSON.
Expression json_value(Grammar& grammar, const Json& value) {
  if (value.is_array()) {
    return listed(grammar, '[', value.items().size(), ']',
                  [&](size_t i) { return json_value(grammar, value.items()[i]); });
  }
  if (value.is_object()) {
    return listed(grammar, '{', value.members().size(), '}', [&](size_t i) {
      const auto& [key, member] = value.members()[i];
      return grammar.sequence({json_key(grammar, key), json_value(grammar, member)});
    });
  }
  if (value.is_string()) {
    return grammar.literal(concat({"\"", json_content(value.string()), "\""}));
  }
  // A whole number needs no point.
  constexpr double kMostDigits = 1e15;
  const bool is_whole = value.is_number() && std::abs(value.number()) < kMostDigits &&
                        std::trunc(value.number()) == value.number();
  return grammar.literal(is_whole ? Json(static_cast<int64_t>(value.number())).dump()
                                  : value.dump());
}

}  // namespace ambry::text
