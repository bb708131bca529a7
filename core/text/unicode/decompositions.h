// A sorted map from a code point to the code points that it decomposes into.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ambry::text {

// The byte streams of tests/reference/unicode/table-writer.mjs: varints of the distance from the
// code point before, the sizes, zigzag varints of the first code point against the first before,
// and varints of the others.
struct DecompositionStreams {
  const uint8_t* gaps = nullptr;
  std::span<const uint8_t> sizes;
  const uint8_t* firsts = nullptr;
  const uint8_t* rests = nullptr;
  uint32_t n_units = 0;
};

class Decompositions {
 public:
  struct Entry {
    char32_t code_point = 0;
    uint16_t begin = 0;
    uint16_t size = 0;
  };

  explicit Decompositions(DecompositionStreams streams);

  // Empty when the code point has none.
  [[nodiscard]] std::span<const char32_t> find(char32_t c) const;
  // Sorted by code point.
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<char32_t> units_;
  std::vector<Entry> entries_;
};

}  // namespace ambry::text
