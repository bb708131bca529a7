// The pairs of characters that canonical composition combines (Unicode 3.11), by the Unicode tables
// of Hugging Face's library.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace ambry::text {

class Compositions {
 public:
  // The first call computes the pairs.
  [[nodiscard]] static const Compositions& instance();

  // The character that the two combine into, if any.
  [[nodiscard]] std::optional<char32_t> find(char32_t first, char32_t second) const;

 private:
  struct Pair {
    char32_t first = 0;
    char32_t second = 0;
    char32_t composite = 0;
  };

  Compositions();
  void add_composites(size_t n_parts, const std::vector<char32_t>& exclusions);
  void sort_pairs();

  std::vector<Pair> pairs_;  // sorted
};

}  // namespace ambry::text
