// The CRC-32s of several ranges of a file whose bytes pass by once, in order. Ranges may overlap
// (EMBD's file checksum covers what its data checksum covers): every byte is still summed once,
// because the parts between the ranges' ends are combined.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "io/crc32.h"

namespace ambry::io {

class RangeCrcs {
 public:
  // A range [begin, end). All are added before the first update().
  void add(uint64_t begin, uint64_t end);
  // `bytes` lie at `offset` in the file; offsets only grow.
  void update(uint64_t offset, Bytes bytes);
  // Of a range that has passed and whose ends were both given to add().
  [[nodiscard]] uint32_t value(uint64_t begin, uint64_t end) const;

 private:
  struct Part {
    uint64_t begin;
    uint64_t end;
    Crc32 crc;
  };

  std::vector<Part> parts_;  // by offset, apart
};

}  // namespace ambry::io
