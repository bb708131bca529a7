// Files of word vectors that are one record a word after another, and what they say of themselves
// before the first one. README.md is the page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ambry::formats::wordvec {

enum class Form : uint8_t { Word2Vec, Text, TextDims, Floret };

// A header line is no longer, a word neither; what is longer is no such file.
inline constexpr uint64_t kMaxHeaderBytes = 4096;
inline constexpr uint64_t kMaxWordBytes = 64 << 10;
// Numbers of a vector. Real ones have a few hundred.
inline constexpr uint64_t kMaxDims = 1 << 20;
// A line of text.
inline constexpr uint64_t kMaxLineBytes = 32 << 20;

struct Header {
  uint64_t rows = 0;
  uint64_t dims = 0;
  // Of floret: `rows` are buckets.
  uint32_t min_n = 0;
  uint32_t max_n = 0;
  uint32_t n_hashes = 0;
  uint32_t seed = 0;
  std::string bow;
  std::string eow;
};

// ASCII white space as the reference programs split by it; a vertical tab is none.
[[nodiscard]] constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

// A number of digits only, that fits 64 bits.
[[nodiscard]] std::optional<uint64_t> parse_count(std::string_view text);

// The header from the line without its end. Not of Form::Text, which has none.
[[nodiscard]] Result<Header> parse_header(Form form, std::string_view line);

// The line with its end; nothing of Form::Text.
[[nodiscard]] std::string print_header(Form form, const Header& header);

}  // namespace ambry::formats::wordvec
