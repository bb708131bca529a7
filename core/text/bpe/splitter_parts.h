// What the expressions of word_splitters.h have in common: characters by kind, and the alternatives
// that several of them share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

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

}  // namespace ambry::text::splitter_parts
