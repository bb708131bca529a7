// Computes the CRC-32s of several ranges of a file while its bytes pass by, in any order. Bytes
// that come again are ignored. Ranges may overlap (EMBD's file checksum covers the bytes of its
// data checksum). Each byte is still summed only once: the file is cut at the ends of all ranges,
// and the CRCs of the parts are combined.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "io/crc32.h"

namespace ambry::io {

class RangeCrcs {
 public:
  struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;
  };

  // Adds the range [begin, end). All ranges must be added before the first update().
  void add(uint64_t begin, uint64_t end);
  // `bytes` start at `offset` in the file.
  void update(uint64_t offset, Bytes bytes);
  // The first bytes of the ranges that have not passed by; nothing when all have.
  [[nodiscard]] std::optional<Range> missing() const;
  // The CRC of a range that was added and has passed by.
  [[nodiscard]] uint32_t value(uint64_t begin, uint64_t end) const;

 private:
  // A run of bytes that have passed by.
  struct Run {
    uint64_t begin;
    uint64_t end;
    uint32_t crc;
  };
  struct Part {
    uint64_t begin;
    uint64_t end;
    std::vector<Run> runs;  // ordered by offset, with gaps between them
  };

  [[nodiscard]] size_t first_part_after(uint64_t offset) const;
  static void update(Part& part, uint64_t offset, Bytes bytes);
  static void join_to_next(Part& part, size_t run);

  std::vector<Part> parts_;  // ordered by offset, not overlapping
};

}  // namespace ambry::io
