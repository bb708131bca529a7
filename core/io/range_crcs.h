// Computes the CRC-32s of several ranges of a file while its bytes stream by once, in order. Ranges
// may overlap (EMBD's file checksum covers the bytes of its data checksum). Each byte is still
// summed only once: the file is cut at the ends of all ranges, and the CRCs of the parts are
// combined.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "io/crc32.h"

namespace ambry::io {

class RangeCrcs {
 public:
  // Adds the range [begin, end). All ranges must be added before the first update().
  void add(uint64_t begin, uint64_t end);
  // `bytes` start at `offset` in the file. Offsets only grow.
  void update(uint64_t offset, Bytes bytes);
  // The CRC of a range that was added and has streamed by.
  [[nodiscard]] uint32_t value(uint64_t begin, uint64_t end) const;

 private:
  struct Part {
    uint64_t begin;
    uint64_t end;
    Crc32 crc;
  };

  std::vector<Part> parts_;  // ordered by offset, not overlapping
};

}  // namespace ambry::io
