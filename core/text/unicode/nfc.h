// Canonical composition (Unicode 3.11) with the Unicode tables of Hugging Face's library.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "text/tokenizer/aligned_text.h"

namespace ambry::text {

class Nfc {
 public:
  // The first call computes the pairs.
  [[nodiscard]] static const Nfc& instance();

  // Whether no character can change, because all are below U+0300.
  [[nodiscard]] static bool is_composed(std::string_view text);
  // A composed character's origin is all that was combined into it.
  [[nodiscard]] AlignedText compose(std::string_view text) const;

  // The character that the two combine into, if any.
  [[nodiscard]] std::optional<char32_t> pair(char32_t first, char32_t second) const;

 private:
  struct Pair {
    char32_t first = 0;
    char32_t second = 0;
    char32_t composite = 0;
  };

  Nfc();
  void add_composites(size_t n_parts, const std::vector<char32_t>& exclusions);
  void sort_pairs();

  std::vector<Pair> pairs_;  // sorted
};

}  // namespace ambry::text
