// Canonical composition (Unicode 3.11) over Hugging Face's tables of Unicode.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "text/tokenizer/aligned_text.h"

namespace ambry::text {

class Nfc {
 public:
  // The pairs are worked out once, at the first call.
  [[nodiscard]] static const Nfc& instance();

  // Nothing where no character can change: all lie below U+0300.
  [[nodiscard]] static bool is_composed(std::string_view text);
  // What composed characters come from is all that went into them.
  [[nodiscard]] AlignedText compose(std::string_view text) const;

  // The character that stands for the two, if there is one.
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
