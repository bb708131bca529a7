// Whether bytes are rows of decimal numbers as text, which tells the text formats from the binary
// one.
#pragma once

#include <cstdint>
#include <string_view>

namespace ambry::formats::wordvec {

// The fields behind the first one of lines, by what they look like.
struct FieldCounts {
  uint64_t numbers = 0;  // decimals, and spellings of values that are not finite (`nan`, `-inf`)
  uint64_t others = 0;
};

// Whether the field is a decimal number, or a value that is not finite as programs spell it.
[[nodiscard]] bool is_decimal(std::string_view field);

// How many fields at the end of a line are numbers. The first field does not count: it is the word.
[[nodiscard]] uint64_t count_numbers_at_end(std::string_view line);

[[nodiscard]] FieldCounts count_fields_behind_word(std::string_view line);

// Whether `head` is text whose lines hold mostly numbers behind their first field. One bad value, a
// row of another length or a word that is not UTF-8 change nothing: they are faults of a text.
// `whole`: the head is the whole file, so its end ends the last line.
[[nodiscard]] bool is_rows_of_decimals(std::string_view head, bool whole);

}  // namespace ambry::formats::wordvec
