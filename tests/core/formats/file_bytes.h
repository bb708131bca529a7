// A file that a fixture's maker writes field by field.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace ambry::formats::testing {

using File = std::vector<uint8_t>;

// Little-endian, at the end.
template <class T>
void put(File& file, T value) {
  const size_t at = file.size();
  file.resize(at + sizeof(T));
  store_le(file.data() + at, value);
}

template <class T>
void put_at(File& file, uint64_t at, T value) {
  store_le(file.data() + at, value);
}

inline void put_text(File& file, std::string_view text) {
  file.insert(file.end(), text.begin(), text.end());
}

}  // namespace ambry::formats::testing
