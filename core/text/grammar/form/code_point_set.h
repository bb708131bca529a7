// A set of Unicode code points, and its UTF-8 as a grammar.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/grammar/form/grammar.h"

namespace ambry::text {

class CodePointSet {
 public:
  struct Range {
    uint32_t first = 0;
    uint32_t last = 0;

    bool operator==(const Range&) const = default;
  };
  static constexpr uint32_t kLast = 0x10FFFF;

  CodePointSet() = default;
  CodePointSet(std::initializer_list<Range> ranges) {
    for (const Range& range : ranges) add(range.first, range.last);
  }
  [[nodiscard]] static CodePointSet all() { return {{0, kLast}}; }

  void add(uint32_t first, uint32_t last);
  void add(const CodePointSet& other);
  [[nodiscard]] CodePointSet complement() const;
  [[nodiscard]] CodePointSet without(const CodePointSet& other) const;
  [[nodiscard]] CodePointSet within(const CodePointSet& other) const {
    return without(other.complement());
  }
  [[nodiscard]] bool has(uint32_t code_point) const;
  [[nodiscard]] bool is_empty() const { return ranges_.empty(); }

  // In ascending order, with gaps between them.
  [[nodiscard]] std::span<const Range> ranges() const { return ranges_; }

 private:
  std::vector<Range> ranges_;
};

// One code point of the set in UTF-8. Surrogates have none and are left out.
[[nodiscard]] Grammar::Expression utf8_of(Grammar& grammar, const CodePointSet& set);

}  // namespace ambry::text
