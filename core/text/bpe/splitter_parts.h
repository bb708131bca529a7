// What the expressions of word_splitters.h have in common: characters by kind, and the alternatives
// that several of them share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "text/unicode/tables/letter_tables.h"

namespace ambry::text::splitter_parts {

using letter_data::kLetter;
using letter_data::kNumber;
using letter_data::kOther;
using letter_data::kSpace;

struct Char {
  uint8_t kind = kOther;
  size_t end = 0;  // end byte
};

[[nodiscard]] Char char_at(std::string_view text, size_t i);

// The end of the run of characters of one kind that starts at `i`, at most `limit` of them.
[[nodiscard]] size_t run_of(std::string_view text, size_t i, uint8_t kind, size_t limit = SIZE_MAX);

[[nodiscard]] inline bool is_break(char c) { return c == '\r' || c == '\n'; }

// 's 't 're 've 'm 'll 'd, in lower case or in either case. In either case, U+017F is an s. Returns
// `begin` when there is none.
[[nodiscard]] size_t contraction(std::string_view text, size_t begin, bool any_case);

// White space, without its last character when something else follows: \s+(?!\S), then \s+.
[[nodiscard]] size_t spaces(std::string_view text, size_t begin);

// \s*[\r\n]+: up to the last line break of the white space, or `begin` when there is none.
[[nodiscard]] size_t line_breaks(std::string_view text, size_t begin);

// What cl100k and o200k have after their words: numbers, other characters with the line ends (and
// slashes) behind them, white space.
[[nodiscard]] size_t after_words(std::string_view text, size_t begin, size_t digits, bool slashes);

// The general category (letters.h).
[[nodiscard]] uint8_t category_at(std::string_view text, size_t i);
[[nodiscard]] bool is_letter_or_mark(std::string_view text, size_t i);

// Whether a class of single characters and ranges (`a-z`) has the character.
[[nodiscard]] bool in_class(std::u32string_view ranges, char32_t c);

[[nodiscard]] inline auto is_in(std::u32string_view ranges) {
  return [ranges](std::string_view text, size_t i) {
    return in_class(ranges, decode_utf8(text, i).code_point);
  };
}

// The end of the run of characters that satisfy the condition, which takes a text and a place.
template <class Is>
size_t run_while(std::string_view text, size_t i, const Is& is) {
  while (i < text.size() && is(text, i)) i += decode_utf8(text, i).n_bytes;
  return i;
}

// An expression that does not cover every text: its match, or all that lies before its next match.
template <class Match>
size_t match_or_gap(std::string_view text, size_t begin, const Match& match) {
  for (size_t i = begin; i < text.size(); i += decode_utf8(text, i).n_bytes) {
    const size_t end = match(text, i);
    if (end > i) return i == begin ? end : i;
  }
  return text.size();
}

}  // namespace ambry::text::splitter_parts
