// The CRC-32 of zlib and IEEE 802.3 (reflected polynomial 0xEDB88320). crc32("123456789") =
// CBF43926.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace ambry::io {

class Crc32 {
 public:
  Crc32() = default;
  // Goes on after bytes whose CRC is `value`.
  explicit Crc32(uint32_t value) : state_(~value) {}

  void update(Bytes bytes);
  [[nodiscard]] uint32_t value() const { return ~state_; }

 private:
  uint32_t state_ = 0xFFFFFFFFU;
};

[[nodiscard]] uint32_t crc32(Bytes bytes);

// Combines the CRCs of two adjacent runs of bytes into the CRC of both together.
[[nodiscard]] uint32_t crc32_of_both(uint32_t first, uint32_t second, uint64_t second_bytes);

}  // namespace ambry::io
