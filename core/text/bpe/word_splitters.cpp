#include "text/bpe/word_splitters.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.h"
#include "text/bpe/byte_alphabet.h"
#include "text/unicode/letters.h"
#include "text/unicode/unicode.h"

namespace ambry::text {
namespace {

using letter_data::kLetter;
using letter_data::kNumber;
using letter_data::kOther;
using letter_data::kSpace;

constexpr std::array<uint8_t, 128> kAsciiKinds = [] {
  std::array<uint8_t, 128> kinds{};
  for (size_t c = 0; c < kinds.size(); ++c) {
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    kinds[c] = letter ? kLetter : (c >= '0' && c <= '9') ? kNumber : space ? kSpace : kOther;
  }
  return kinds;
}();

struct Char {
  uint8_t kind = kOther;
  size_t end = 0;  // end byte
};

Char char_at(std::string_view text, size_t i) {
  const auto byte = static_cast<uint8_t>(text[i]);
  if (byte < 0x80) return {kAsciiKinds[byte], i + 1};
  const DecodedCodePoint c = decode_utf8(text, i);
  return {Letters::instance().kind(c.code_point), i + c.n_bytes};
}

// The end of the run of characters of one kind that starts at `i`, at most `limit` of them.
size_t run_of(std::string_view text, size_t i, uint8_t kind, size_t limit = SIZE_MAX) {
  for (size_t n = 0; i < text.size() && n < limit; ++n) {
    const Char c = char_at(text, i);
    if (c.kind != kind) break;
    i = c.end;
  }
  return i;
}

bool is_break(char c) { return c == '\r' || c == '\n'; }

// 's 't 're 've 'm 'll 'd, in lower case or in either case. In either case, U+017F is an s.
size_t contraction(std::string_view text, size_t begin, bool any_case) {
  if (text[begin] != '\'' || begin + 1 >= text.size()) return begin;
  const std::string_view rest = text.substr(begin + 1);
  if (any_case && rest.starts_with("\xC5\xBF")) return begin + 3;
  const auto letter = [&](size_t i) -> char {
    if (i >= rest.size()) return 0;
    const char c = rest[i];
    return any_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
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

// White space, without its last character when something else follows: \s+(?!\S), then \s+.
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

// \s*[\r\n]+: up to the last line break of the white space, or `begin` when there is none.
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

size_t split_cl100k(std::string_view text, size_t begin, size_t digits) {
  if (const size_t end = contraction(text, begin, true); end != begin) return end;
  const Char first = char_at(text, begin);
  if (first.kind == kLetter) return run_of(text, first.end, kLetter);
  if (first.kind == kNumber) return run_of(text, begin, kNumber, digits);
  const bool space = text[begin] == ' ';
  if (first.end < text.size() && !is_break(text[begin])) {
    const Char second = char_at(text, first.end);
    if (second.kind == kLetter) return run_of(text, second.end, kLetter);
  }
  const size_t others = first.kind == kOther ? begin : space ? first.end : text.size();
  if (size_t end = run_of(text, others, kOther); end != others) {
    while (end < text.size() && is_break(text[end])) ++end;
    return end;
  }
  if (const size_t end = line_breaks(text, begin); end != begin) return end;
  return spaces(text, begin);
}

// A run of characters that all satisfy the condition, or that all do not.
template <class Is>
size_t run_while_same(std::string_view text, size_t begin, const Is& is) {
  bool wanted = false;
  for (size_t i = begin; i < text.size();) {
    const DecodedCodePoint c = decode_utf8(text, i);
    if (i == begin) wanted = is(c.code_point);
    if (is(c.code_point) != wanted) return i;
    i += c.n_bytes;
  }
  return text.size();
}

// One character that satisfies the condition, or a run of characters that do not.
template <class Is>
size_t each_or_rest(std::string_view text, size_t begin, const Is& is) {
  const DecodedCodePoint c = decode_utf8(text, begin);
  return is(c.code_point) ? begin + c.n_bytes : run_while_same(text, begin, is);
}

bool is_punctuation(char32_t c) {
  return (Unicode::instance().flags(c) & char_flags::kPunctuation) != 0;
}

bool is_digit(char32_t c) { return Letters::instance().is_digit(c); }

}  // namespace

size_t split_gpt2(std::string_view text, size_t begin) {
  if (const size_t end = contraction(text, begin, false); end != begin) return end;
  Char first = char_at(text, begin);
  if (text[begin] == ' ' && first.end < text.size()) {
    const Char second = char_at(text, first.end);
    if (second.kind != kSpace) first = second;
  }
  return first.kind == kSpace ? spaces(text, begin) : run_of(text, first.end, first.kind);
}

size_t split_llama3(std::string_view text, size_t begin) { return split_cl100k(text, begin, 3); }

size_t split_qwen2(std::string_view text, size_t begin) { return split_cl100k(text, begin, 1); }

size_t split_punctuation_runs(std::string_view text, size_t begin) {
  return run_while_same(text, begin, is_punctuation);
}

size_t split_punctuation(std::string_view text, size_t begin) {
  return each_or_rest(text, begin, is_punctuation);
}

size_t split_digit_runs(std::string_view text, size_t begin) {
  return run_while_same(text, begin, is_digit);
}

size_t split_digits(std::string_view text, size_t begin) {
  return each_or_rest(text, begin, is_digit);
}

size_t split_spelled_digits(std::string_view bytes, size_t begin) {
  const auto is_spelled = [&](size_t i) {
    return is_digit(ByteAlphabet::instance().code_point(static_cast<uint8_t>(bytes[i])));
  };
  size_t end = begin + 1;
  while (end < bytes.size() && is_spelled(end) == is_spelled(begin)) ++end;
  return end;
}

size_t split_three_digits(std::string_view text, size_t begin) {
  const auto three_at = [&](size_t i) {
    const std::string_view three = text.substr(i, 3);
    return three.size() == 3 &&
           std::all_of(three.begin(), three.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (three_at(begin)) return begin + 3;
  size_t end = begin + 1;
  while (end < text.size() && !three_at(end)) ++end;
  return end;
}

}  // namespace ambry::text
