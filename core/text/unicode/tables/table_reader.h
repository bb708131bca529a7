// Reads integers from the byte streams that tests/reference writes.
#pragma once

#include <cstdint>

namespace ambry::text {

// Seven bits in each byte, the low ones first. The top bit means that more bytes follow.
inline uint32_t read_varint(const uint8_t*& cursor) {
  uint32_t value = 0;
  for (uint32_t shift = 0;; shift += 7) {
    const uint8_t byte = *cursor++;
    value |= uint32_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
}

inline int32_t read_zigzag(const uint8_t*& cursor) {
  const uint32_t value = read_varint(cursor);
  return static_cast<int32_t>(value >> 1) ^ -static_cast<int32_t>(value & 1);
}

}  // namespace ambry::text
