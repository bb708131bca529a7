#include "text/bpe/splitter_parts.h"

#include <array>

#include "base/utf8.h"
#include "io/ascii.h"
#include "text/unicode/letters.h"

namespace ambry::text::splitter_parts {
namespace {

constexpr std::array<uint8_t, 128> kAsciiKinds = [] {
  std::array<uint8_t, 128> kinds{};
  for (size_t c = 0; c < kinds.size(); ++c) {
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    kinds[c] = letter ? kLetter : (c >= '0' && c <= '9') ? kNumber : space ? kSpace : kOther;
  }
  return kinds;
}();

}  // namespace

Char char_at(std::string_view text, size_t i) {
  const auto byte = static_cast<uint8_t>(text[i]);
  if (byte < 0x80) return {kAsciiKinds[byte], i + 1};
  const DecodedCodePoint c = decode_utf8(text, i);
  return {Letters::instance().kind(c.code_point), i + c.n_bytes};
}

size_t run_of(std::string_view text, size_t i, uint8_t kind, size_t limit) {
  for (size_t n = 0; i < text.size() && n < limit; ++n) {
    const Char c = char_at(text, i);
    if (c.kind != kind) break;
    i = c.end;
  }
  return i;
}

size_t contraction(std::string_view text, size_t begin, bool any_case) {
  if (text[begin] != '\'' || begin + 1 >= text.size()) return begin;
  const std::string_view rest = text.substr(begin + 1);
  if (any_case && rest.starts_with("\xC5\xBF")) return begin + 3;
  const auto letter = [&](size_t i) -> char {
    if (i >= rest.size()) return 0;
    const char c = rest[i];
    return any_case ? io::to_lower(c) : c;
  };
  switch (letter(0)) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return begin + 2;
    case 'r':
    case 'v':
      return letter(1) == 'e' ? begin + 3 : begin;
    case 'l':
      return letter(1) == 'l' ? begin + 3 : begin;
    default:
      return begin;
  }
}

size_t spaces(std::string_view text, size_t begin) {
  size_t last = begin;  // start of the last character
  size_t end = begin;
  while (end < text.size()) {
    const Char c = char_at(text, end);
    if (c.kind != kSpace) break;
    last = end;
    end = c.end;
  }
  return end == text.size() || last == begin ? end : last;
}

size_t line_breaks(std::string_view text, size_t begin) {
  size_t end = begin;
  for (size_t i = begin; i < text.size();) {
    const Char c = char_at(text, i);
    if (c.kind != kSpace) break;
    if (is_break(text[i])) end = c.end;
    i = c.end;
  }
  return end;
}

size_t after_words(std::string_view text, size_t begin, size_t digits, bool slashes) {
  const Char first = char_at(text, begin);
  if (first.kind == kNumber) return run_of(text, begin, kNumber, digits);
  const size_t others = first.kind == kOther ? begin : text[begin] == ' ' ? first.end : text.size();
  if (size_t end = run_of(text, others, kOther); end != others) {
    while (end < text.size() && (is_break(text[end]) || (slashes && text[end] == '/'))) ++end;
    return end;
  }
  if (const size_t end = line_breaks(text, begin); end != begin) return end;
  return spaces(text, begin);
}

uint8_t category_at(std::string_view text, size_t i) {
  return Categories::instance().of(decode_utf8(text, i).code_point);
}

bool is_letter_or_mark(std::string_view text, size_t i) {
  const uint8_t category = category_at(text, i);
  return char_at(text, i).kind == kLetter || category == letter_data::kMark;
}

bool in_class(std::u32string_view ranges, char32_t c) {
  for (size_t i = 0; i < ranges.size(); ++i) {
    const bool range = i + 2 < ranges.size() && ranges[i + 1] == U'-';
    const char32_t last = ranges[range ? i + 2 : i];
    if (c >= ranges[i] && c <= last) return true;
    if (range) i += 2;
  }
  return false;
}

}  // namespace ambry::text::splitter_parts
