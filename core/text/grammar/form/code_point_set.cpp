#include "text/grammar/form/code_point_set.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using Range = CodePointSet::Range;

constexpr Range kSurrogates = {0xD800, 0xDFFF};
// The last code points whose UTF-8 has 1, 2, 3 and 4 bytes.
constexpr std::array<uint32_t, 4> kLastOfLength = {0x7F, 0x7FF, 0xFFFF, CodePointSet::kLast};

// The code points from `first` to `last` have equally long UTF-8, and each byte of it has a range
// that does not depend on the others.
Expression sequence_of(Grammar& grammar, uint32_t first, uint32_t last) {
  std::string from;
  std::string to;
  append_utf8(from, first);
  append_utf8(to, last);
  std::vector<Expression> bytes;
  bytes.reserve(from.size());
  for (size_t i = 0; i < from.size(); ++i) bytes.push_back(grammar.bytes(from[i], to[i]));
  return grammar.sequence(bytes);
}

// Splits a range of code points with `n_more` continuation bytes into ranges for sequence_of().
void append_sequences(Grammar& grammar, Range range, unsigned n_more,
                      std::vector<Expression>& out) {
  for (unsigned i = 1; i <= n_more; ++i) {
    const uint32_t low = (uint32_t{1} << 6 * i) - 1;  // the bits of the last i bytes
    if ((range.first & ~low) == (range.last & ~low)) continue;
    if ((range.first & low) != 0) {
      append_sequences(grammar, {range.first, range.first | low}, n_more, out);
      return append_sequences(grammar, {(range.first | low) + 1, range.last}, n_more, out);
    }
    if ((range.last & low) != low) {
      append_sequences(grammar, {range.first, (range.last & ~low) - 1}, n_more, out);
      return append_sequences(grammar, {range.last & ~low, range.last}, n_more, out);
    }
  }
  out.push_back(sequence_of(grammar, range.first, range.last));
}

}  // namespace

void CodePointSet::add(uint32_t first, uint32_t last) {
  if (first > last) return;
  auto begin = std::ranges::find_if(
      ranges_, [&](const Range& range) { return uint64_t{range.last} + 1 >= first; });
  auto end = begin;
  for (; end != ranges_.end() && end->first <= uint64_t{last} + 1; ++end) {
    first = std::min(first, end->first);
    last = std::max(last, end->last);
  }
  begin = ranges_.erase(begin, end);
  ranges_.insert(begin, {first, last});
}

void CodePointSet::add(const CodePointSet& other) {
  for (const Range& range : other.ranges_) add(range.first, range.last);
}

CodePointSet CodePointSet::complement() const {
  CodePointSet made;
  uint32_t next = 0;
  for (const Range& range : ranges_) {
    if (range.first > next) made.ranges_.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLast) made.ranges_.push_back({next, kLast});
  return made;
}

CodePointSet CodePointSet::without(const CodePointSet& other) const {
  CodePointSet rest = complement();
  rest.add(other);
  return rest.complement();
}

bool CodePointSet::has(uint32_t code_point) const {
  return std::ranges::any_of(ranges_, [&](const Range& range) {
    return range.first <= code_point && code_point <= range.last;
  });
}

Expression utf8_of(Grammar& grammar, const CodePointSet& set) {
  const CodePointSet scalars = set.without({kSurrogates});
  ByteSet ascii;
  std::vector<Expression> sequences;
  for (const Range& range : scalars.ranges()) {
    uint32_t first = 0;
    for (unsigned n_more = 0; n_more < kLastOfLength.size(); ++n_more) {
      const uint32_t from = std::max(range.first, first);
      const uint32_t to = std::min(range.last, kLastOfLength[n_more]);
      first = kLastOfLength[n_more] + 1;
      if (from > to) continue;
      if (n_more == 0) {
        ascii.add(static_cast<uint8_t>(from), static_cast<uint8_t>(to));
      } else {
        append_sequences(grammar, {from, to}, n_more, sequences);
      }
    }
  }
  sequences.push_back(grammar.bytes(ascii));
  return grammar.choice(sequences);
}

}  // namespace ambry::text
