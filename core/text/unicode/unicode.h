// Properties of code points as Hugging Face's BERT tokenizer sees them. Its character classes mix
// several Unicode versions, so these tables were measured and follow no standard.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "text/unicode/decompositions.h"
#include "text/unicode/tables/unicode_tables.h"

namespace ambry::text {

namespace char_flags = unicode_data;

class Unicode {
 public:
  // Set when decompose() or to_lowercase() changes the code point.
  static constexpr uint8_t kMapped = 128;

  // The first call expands the tables.
  [[nodiscard]] static const Unicode& instance();

  // char_flags and kMapped. Code points past U+10FFFF do not occur.
  [[nodiscard]] uint8_t flags(char32_t c) const { return flags_[class_of(c)]; }
  // 0 for a starter. Other ranks have the order of the canonical combining classes.
  [[nodiscard]] uint8_t combining_rank(char32_t c) const { return ranks_[class_of(c)]; }

  // Large enough for any decomposition.
  using Buffer = std::array<char32_t, 4>;
  // The full canonical decomposition, in `buffer` or in the tables. Empty when there is none.
  [[nodiscard]] std::span<const char32_t> decompose(char32_t c, Buffer& buffer) const;
  // One code point, or two for U+0130.
  [[nodiscard]] std::span<const char32_t> to_lowercase(char32_t c, Buffer& buffer) const;

 private:
  struct LowercaseRange {
    char32_t first = 0;
    uint32_t count = 0;
    uint32_t stride = 1;
    int32_t delta = 0;

    [[nodiscard]] char32_t last() const { return first + (count - 1) * stride; }
  };
  static constexpr uint32_t kPageBits = 8;
  static constexpr uint32_t kPageSize = 1U << kPageBits;
  using Page = std::array<uint8_t, kPageSize>;
  static constexpr char32_t kDottedCapitalI = 0x130;

  Unicode();
  void expand_lowercase();
  void expand_classes();
  void add_page(const Page& page);

  [[nodiscard]] uint8_t class_of(char32_t c) const {
    return classes_[(size_t{page_of_[c >> kPageBits]} << kPageBits) | (c & (kPageSize - 1))];
  }

  std::array<uint8_t, 256> flags_{};  // by class; classes from 128 on belong to mapped code points
  std::array<uint8_t, 256> ranks_{};
  std::vector<uint8_t> page_of_;
  std::vector<uint8_t> classes_;  // distinct pages with one class for each code point
  Decompositions decompositions_;
  std::vector<LowercaseRange> lowercase_;  // sorted by first
};

}  // namespace ambry::text
