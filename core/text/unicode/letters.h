// Letters, numbers and white space as the regular expressions of byte-level BPE define them
// (core/text/README.md#word-cutting). Like the tables of unicode.h, these were measured on Hugging
// Face's tokenizer.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "text/unicode/tables/letter_tables.h"

namespace ambry::text {

// A small number for each code point, expanded from runs (letter_tables.h).
class RunTable {
 public:
  explicit RunTable(const uint8_t* runs);

  // Code points past U+10FFFF do not occur.
  [[nodiscard]] uint8_t at(char32_t c) const {
    return pages_[page_of_[c >> kPageBits]][c & (kPageSize - 1)];
  }

 private:
  static constexpr uint32_t kPageBits = 8;
  static constexpr uint32_t kPageSize = 1U << kPageBits;
  using Page = std::array<uint8_t, kPageSize>;

  std::vector<uint8_t> page_of_;
  std::vector<Page> pages_;  // the distinct pages
};

class Letters {
 public:
  // The first call expands the table.
  [[nodiscard]] static const Letters& instance();

  // letter_data::kOther, kLetter, kNumber or kSpace. Code points past U+10FFFF do not occur.
  [[nodiscard]] uint8_t kind(char32_t c) const { return entry(c) & (letter_data::kDigit - 1); }
  // Whether the character is numeric in Rust, which differs slightly from the expressions.
  [[nodiscard]] bool is_digit(char32_t c) const { return (entry(c) & letter_data::kDigit) != 0; }

 private:
  Letters() : entries_(letter_data::kKindRuns) {}

  [[nodiscard]] uint8_t entry(char32_t c) const { return entries_.at(c); }

  RunTable entries_;
};

// General categories: letter_data::kUpper, kLower, kUncased, kMark, kPunctuation, kSymbol, else 0.
class Categories {
 public:
  // The first call expands the table.
  [[nodiscard]] static const Categories& instance();

  [[nodiscard]] uint8_t of(char32_t c) const { return entries_.at(c); }

 private:
  Categories() : entries_(letter_data::kCategoryRuns) {}

  RunTable entries_;
};

}  // namespace ambry::text
