// Questions about single code points, answered as Hugging Face's BERT tokenizer answers them. Its
// character classes mix several Unicode versions, so they are measured data and not a standard's.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "text/unicode/unicode_tables.h"

namespace ambry::text {

namespace char_flags = unicode_data;

class Unicode {
 public:
  // Set where decompose() or to_lowercase() have something to say.
  static constexpr uint8_t kMapped = 128;

  // The tables are expanded once, at the first call.
  [[nodiscard]] static const Unicode& instance();

  // char_flags and kMapped. Code points past U+10FFFF do not occur.
  [[nodiscard]] uint8_t flags(char32_t c) const { return flags_[class_of(c)]; }
  // 0 for a starter; the order of the other numbers is that of the canonical combining classes.
  [[nodiscard]] uint8_t combining_rank(char32_t c) const { return ranks_[class_of(c)]; }

  // Room for any decomposition.
  using Buffer = std::array<char32_t, 4>;
  // The full canonical decomposition (in `buffer` or in the tables); empty when there is none.
  [[nodiscard]] std::span<const char32_t> decompose(char32_t c, Buffer& buffer) const;
  // One code point, but two for U+0130.
  [[nodiscard]] std::span<const char32_t> to_lowercase(char32_t c, Buffer& buffer) const;

 private:
  struct Decomposition {
    char32_t code_point = 0;
    uint16_t begin = 0;
    uint16_t size = 0;
  };
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
  void expand_decompositions();
  void expand_lowercase();
  void expand_classes();
  void add_page(const Page& page);

  [[nodiscard]] uint8_t class_of(char32_t c) const {
    return classes_[(size_t{page_of_[c >> kPageBits]} << kPageBits) | (c & (kPageSize - 1))];
  }

  std::array<uint8_t, 256>
      flags_{};  // by class; classes from 128 on are those of mapped code points
  std::array<uint8_t, 256> ranks_{};
  std::vector<uint8_t> page_of_;
  std::vector<uint8_t> classes_;  // distinct pages, one class a code point
  std::vector<char32_t> units_;
  std::vector<Decomposition> decompositions_;  // sorted by code point
  std::vector<LowercaseRange> lowercase_;      // sorted by first
};

}  // namespace ambry::text
