#include "io/toml/toml_text.h"

#include "base/utf8.h"

namespace ambry::io {
namespace {

// TOML allows no control characters except the tab.
bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

}  // namespace

void TomlText::skip_blanks() {
  while (peek() == ' ' || peek() == '\t') ++position_;
}

bool TomlText::skip_newline() {
  const size_t length = starts("\r\n") ? 2 : starts("\n") ? 1 : 0;
  position_ += length;
  return length > 0;
}

Result<void> TomlText::skip_comment() {
  if (peek() != '#') return {};
  while (!at_end() && !starts("\n") && !starts("\r\n")) {
    if (is_control(peek())) return fail(position_, "the comment holds a control character");
    ++position_;
  }
  return {};
}

Result<void> TomlText::skip_lines() {
  do {
    skip_blanks();
    AMBRY_RETURN_IF_ERROR(skip_comment());
  } while (skip_newline());
  return {};
}

Result<std::string> TomlText::read_string() {
  const size_t start = position_;
  const char quote = peek();
  const bool many_lines = peek(1) == quote && peek(2) == quote;
  position_ += many_lines ? 3 : 1;
  if (many_lines) skip_newline();
  std::string text;
  for (;;) {
    if (at_end()) return fail(start, "the string has no closing quote");
    const char c = peek();
    if (c == quote) {
      if (!many_lines) {
        ++position_;
        return text;
      }
      size_t n_quotes = 0;
      while (peek() == quote && n_quotes < 5) ++n_quotes, ++position_;
      text.append(n_quotes < 3 ? n_quotes : n_quotes - 3, quote);
      if (n_quotes >= 3) return text;
    } else if (many_lines && (starts("\n") || starts("\r\n"))) {
      skip_newline();
      text += '\n';
    } else if (is_control(c)) {
      return fail(position_, "the string holds a control character");
    } else if (c == '\\' && quote == '"') {
      AMBRY_RETURN_IF_ERROR(read_escape(text, many_lines));
    } else {
      text += c;
      ++position_;
    }
  }
}

Result<void> TomlText::read_escape(std::string& out, bool many_lines) {
  static constexpr std::string_view kNames = "btnfr\"\\";
  static constexpr std::string_view kValues = "\b\t\n\f\r\"\\";
  const size_t start = position_++;
  const char c = peek();
  if (const size_t known = kNames.find(c); !at_end() && known != std::string_view::npos) {
    out += kValues[known];
    ++position_;
    return {};
  }
  if (c == 'u' || c == 'U') {
    ++position_;
    return read_code_point(c == 'u' ? 4 : 8, out);
  }
  // A backslash at the end of a line removes all white space after it.
  if (many_lines) {
    skip_blanks();
    if (skip_newline()) {
      do skip_blanks();
      while (skip_newline());
      return {};
    }
  }
  return fail(start, "the string holds an unknown escape");
}

Result<void> TomlText::read_code_point(size_t digits, std::string& out) {
  const size_t start = position_;
  uint32_t code_point = 0;
  for (size_t i = 0; i < digits; ++i, ++position_) {
    const char c = peek();
    const uint32_t digit = c >= '0' && c <= '9'   ? static_cast<uint32_t>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<uint32_t>(c - 'a') + 10
                           : c >= 'A' && c <= 'F' ? static_cast<uint32_t>(c - 'A') + 10
                                                  : 16;
    if (digit == 16) return fail(start, "expected hexadecimal digits");
    code_point = code_point << 4 | digit;
  }
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point < 0xE000)) {
    return fail(start, "the escape is not a Unicode scalar value");
  }
  append_utf8(out, code_point);
  return {};
}

}  // namespace ambry::io
