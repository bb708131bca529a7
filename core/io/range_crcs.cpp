#include "io/range_crcs.h"

#include <algorithm>
#include <cassert>

namespace ambry::io {

void RangeCrcs::add(uint64_t begin, uint64_t end) {
  // Cut the parts at both ends of the range, then add parts for what none covers.
  for (const uint64_t cut : {begin, end}) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].begin >= cut || cut >= parts_[i].end) continue;
      const Part behind{cut, parts_[i].end, {}};
      parts_[i].end = cut;
      parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(i) + 1, behind);
    }
  }
  size_t i = 0;
  while (begin < end) {
    while (i < parts_.size() && parts_[i].end <= begin) ++i;
    const uint64_t next = i < parts_.size() ? std::min(parts_[i].begin, end) : end;
    if (begin < next) {
      parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(i), Part{begin, next, {}});
    }
    begin = parts_[i].end;
  }
}

void RangeCrcs::update(uint64_t offset, Bytes bytes) {
  for (Part& part : parts_) {
    const uint64_t from = std::max(offset, part.begin);
    const uint64_t to = std::min(offset + bytes.size(), part.end);
    if (from >= to) continue;
    part.crc.update(
        bytes.subspan(static_cast<size_t>(from - offset), static_cast<size_t>(to - from)));
  }
}

uint32_t RangeCrcs::value(uint64_t begin, uint64_t end) const {
  uint32_t crc = 0;  // the CRC of no bytes
  if (begin == end) return crc;
  for (const Part& part : parts_) {
    if (part.end <= begin || end <= part.begin) continue;
    assert(begin <= part.begin && part.end <= end);
    crc = crc32_of_both(crc, part.crc.value(), part.end - part.begin);
  }
  return crc;
}

}  // namespace ambry::io
