// Files of word vectors with one record for each word, and the headers of these files. README.md
// explains them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ambry::formats::wordvec {

enum class Form : uint8_t { Word2Vec, Text, TextDims, Floret };

// The longest header line and the longest word.
inline constexpr uint64_t kMaxHeaderBytes = 4096;
inline constexpr uint64_t kMaxWordBytes = 64 << 10;
// The most values in a vector. Real ones have a few hundred.
inline constexpr uint64_t kMaxDims = 1 << 20;
// The longest line of text.
inline constexpr uint64_t kMaxLineBytes = 32 << 20;

struct Header {
  uint64_t rows = 0;
  uint64_t dims = 0;
  // Floret: `rows` are buckets.
  uint32_t min_n = 0;
  uint32_t max_n = 0;
  uint32_t n_hashes = 0;
  uint32_t seed = 0;
  std::string bow;
  std::string eow;
};

// ASCII white space as in the reference programs, which do not include the vertical tab.
[[nodiscard]] constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

// Takes the next field of a line off `rest`. Empty at its end.
std::string_view take_field(std::string_view& rest);

// Parses an integer of digits only that fits 64 bits.
[[nodiscard]] std::optional<uint64_t> parse_count(std::string_view text);

// Reads the fields of the header line, which is given without its end. Form::Text has no header.
[[nodiscard]] Result<Header> parse_header_fields(Form form, std::string_view line);

// BadValue or LimitExceeded where a header states no rows or no vectors, or too large ones.
[[nodiscard]] Result<void> check_shape(const Header& header);

// Reads and checks the header line.
[[nodiscard]] Result<Header> parse_header(Form form, std::string_view line);

// The line with its end; empty for Form::Text.
[[nodiscard]] std::string print_header(Form form, const Header& header);

}  // namespace ambry::formats::wordvec
