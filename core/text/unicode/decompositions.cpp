#include "text/unicode/decompositions.h"

#include <algorithm>

#include "text/unicode/tables/table_reader.h"

namespace ambry::text {

Decompositions::Decompositions(DecompositionStreams streams) {
  entries_.reserve(streams.sizes.size());
  units_.reserve(streams.n_units);
  char32_t code_point = 0;
  char32_t first = 0;
  for (const uint8_t size : streams.sizes) {
    code_point += read_varint(streams.gaps);
    first += static_cast<char32_t>(read_zigzag(streams.firsts));
    entries_.push_back({code_point, static_cast<uint16_t>(units_.size()), size});
    units_.push_back(first);
    for (uint8_t i = 1; i < size; ++i) units_.push_back(read_varint(streams.rests));
  }
}

std::span<const char32_t> Decompositions::find(char32_t c) const {
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), c,
                       [](const Entry& entry, char32_t value) { return entry.code_point < value; });
  if (found == entries_.end() || found->code_point != c) return {};
  return {&units_[found->begin], found->size};
}

}  // namespace ambry::text
