// How a line of text becomes a word and its vector. Published files have words with spaces, empty
// lines, and lines of comment.
#pragma once

#include <cstdint>
#include <string_view>

namespace ambry::formats::wordvec {

// A byte order mark, with which some programs begin a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Parts of a line.
struct TextRow {
  std::string_view word;  // empty where the vector has no word before it
  std::string_view values;
  uint64_t n_values = 0;
};

// The last `dims` fields are the vector, and what precedes them is the word, which may have spaces
// (`. . .` in glove.840B.300d). Without `dims`, the word is the first field.
[[nodiscard]] TextRow split_row(std::string_view line, uint64_t dims);

[[nodiscard]] uint64_t count_fields(std::string_view line);
[[nodiscard]] bool is_blank(std::string_view line);

// Whether the line begins with `#` and has no vector of `dims` numbers at its end.
[[nodiscard]] bool is_comment(std::string_view line, uint64_t dims);

// How many numbers most of the first rows have at their ends; of equally many the first. `text` is
// the start of a file without a header. `whole`: its end ends the last line.
[[nodiscard]] uint64_t usual_width(std::string_view text, bool whole);

// Whether a word ends in something that looks like a number of its vector: `b 1.5` before `2.5 3`.
// A row with too many numbers looks so, and rarely a word (`windows 3.1`).
[[nodiscard]] bool ends_like_a_value(const TextRow& row);

}  // namespace ambry::formats::wordvec
