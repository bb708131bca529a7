#include "text/grammar/form/regex_escape.h"

#include <optional>
#include <string_view>

namespace ambry::text {
namespace {

// The white space and line ends of ECMAScript.
CodePointSet white_space() {
  return {{9, 13},          {32, 32},         {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
          {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
}

std::optional<CodePointSet> named_class(char32_t letter) {
  switch (letter) {
    case 'd':
      return CodePointSet{{'0', '9'}};
    case 'D':
      return CodePointSet{{'0', '9'}}.complement();
    case 'w':
      return CodePointSet{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    case 'W':
      return CodePointSet{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}.complement();
    case 's':
      return white_space();
    case 'S':
      return white_space().complement();
    default:
      return std::nullopt;
  }
}

const char* unsupported_name(char32_t letter) {
  if (letter == 'b' || letter == 'B') return "word boundaries (\\b, \\B) are not supported";
  if (letter == 'p' || letter == 'P') return "properties of Unicode (\\p) are not supported";
  if (letter == 'k' || (letter >= '1' && letter <= '9')) return "backreferences are not supported";
  return nullptr;
}

constexpr bool is_surrogate(char32_t c, char32_t first) { return c >= first && c < first + 0x400; }

// The digits after \u: four, a pair of four, or any number of them in braces.
Result<char32_t> read_code_point(FormReader& reader, size_t begin) {
  if (reader.take("{")) {
    char32_t c = 0;
    while (!reader.take("}")) {
      AMBRY_TRY(const char32_t digit, reader.take_hex(1));
      c = c << 4 | digit;
      if (c > CodePointSet::kLast) break;
    }
    if (c <= CodePointSet::kLast && !is_surrogate(c, 0xD800) && !is_surrogate(c, 0xDC00)) return c;
    return reader.fail(ErrorCode::BadValue, begin, "this is no character of Unicode");
  }
  AMBRY_TRY(const char32_t c, reader.take_hex(4));
  if (is_surrogate(c, 0xD800) && reader.take("\\u")) {
    AMBRY_TRY(const char32_t low, reader.take_hex(4));
    if (is_surrogate(low, 0xDC00)) return 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
  }
  if (c < 0xD800 || c > 0xDFFF) return c;
  return reader.fail(ErrorCode::BadValue, begin, "half of a surrogate pair is no character");
}

Result<char32_t> read_character(FormReader& reader, char32_t letter, size_t begin) {
  switch (letter) {
    case 't':
      return U'\t';
    case 'n':
      return U'\n';
    case 'v':
      return U'\v';
    case 'f':
      return U'\f';
    case 'r':
      return U'\r';
    case '0':
      return U'\0';
    case 'x':
      return reader.take_hex(2);
    case 'u':
      return read_code_point(reader, begin);
    default:
      break;
  }
  const bool is_sign = letter > ' ' && letter < 0x7F && !(letter >= '0' && letter <= '9') &&
                       !(letter >= 'A' && letter <= 'Z') && !(letter >= 'a' && letter <= 'z');
  if (is_sign) return letter;
  return reader.fail(ErrorCode::BadValue, begin, "this escape is not known");
}

}  // namespace

Result<RegexEscape> read_regex_escape(FormReader& reader, bool in_class) {
  const size_t begin = reader.position() - 1;
  if (reader.at_end())
    return reader.fail(ErrorCode::BadValue, begin, "\\ needs a character after it");
  const char32_t letter = reader.take_code_point();
  if (auto set = named_class(letter)) return RegexEscape{std::move(*set), true};
  if (in_class && letter == 'b') return RegexEscape{{{8, 8}}, false};
  if (const char* message = unsupported_name(letter)) {
    return reader.fail(ErrorCode::Unsupported, begin, message);
  }
  AMBRY_TRY(const char32_t c, read_character(reader, letter, begin));
  return RegexEscape{{{c, c}}, false};
}

}  // namespace ambry::text
