#include "io/range_crcs.h"

#include <algorithm>
#include <cassert>

namespace ambry::io {

// The first part that ends after `offset`.
size_t RangeCrcs::first_part_after(uint64_t offset) const {
  const auto found = std::ranges::upper_bound(parts_, offset, {}, &Part::end);
  return static_cast<size_t>(found - parts_.begin());
}

void RangeCrcs::add(uint64_t begin, uint64_t end) {
  const auto insert = [&](size_t at, const Part& part) {
    parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(at), part);
  };
  // Cut the parts at both ends of the range, then add parts for what none covers.
  for (const uint64_t cut : {begin, end}) {
    const size_t i = first_part_after(cut);
    if (i == parts_.size() || parts_[i].begin >= cut) continue;
    insert(i + 1, Part{cut, parts_[i].end, {}});
    parts_[i].end = cut;
  }
  for (size_t i = first_part_after(begin); begin < end; ++i) {
    const uint64_t next = i < parts_.size() ? std::min(parts_[i].begin, end) : end;
    if (begin < next) insert(i, Part{begin, next, {}});
    begin = parts_[i].end;
  }
}

void RangeCrcs::update(uint64_t offset, Bytes bytes) {
  const uint64_t end = offset + bytes.size();
  for (size_t i = first_part_after(offset); i < parts_.size() && parts_[i].begin < end; ++i) {
    const uint64_t from = std::max(offset, parts_[i].begin);
    const uint64_t to = std::min(end, parts_[i].end);
    update(parts_[i], from,
           bytes.subspan(static_cast<size_t>(from - offset), static_cast<size_t>(to - from)));
  }
}

void RangeCrcs::update(Part& part, uint64_t offset, Bytes bytes) {
  std::vector<Run>& runs = part.runs;
  while (!bytes.empty()) {
    const auto at = std::ranges::lower_bound(runs, offset, {}, &Run::end);
    const auto i = static_cast<size_t>(at - runs.begin());
    if (at == runs.end() || at->begin > offset) runs.insert(at, Run{offset, offset, 0});
    uint64_t n = runs[i].end - offset;  // these have come before
    if (n == 0) {
      n = bytes.size();
      if (i + 1 < runs.size()) n = std::min(n, runs[i + 1].begin - offset);
      Crc32 crc(runs[i].crc);
      crc.update(bytes.first(static_cast<size_t>(n)));
      runs[i].crc = crc.value();
      runs[i].end += n;
      join_to_next(part, i);
    }
    n = std::min<uint64_t>(n, bytes.size());
    offset += n;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
}

void RangeCrcs::join_to_next(Part& part, size_t run) {
  std::vector<Run>& runs = part.runs;
  if (run + 1 == runs.size() || runs[run + 1].begin != runs[run].end) return;
  const Run& next = runs[run + 1];
  runs[run].crc = crc32_of_both(runs[run].crc, next.crc, next.end - next.begin);
  runs[run].end = next.end;
  runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(run) + 1);
}

std::optional<RangeCrcs::Range> RangeCrcs::missing() const {
  for (const Part& part : parts_) {
    if (part.runs.empty()) return Range{part.begin, part.end};
    const Run& first = part.runs.front();
    if (first.begin != part.begin) return Range{part.begin, first.begin};
    if (first.end == part.end) continue;
    return Range{first.end, part.runs.size() > 1 ? part.runs[1].begin : part.end};
  }
  return std::nullopt;
}

uint32_t RangeCrcs::value(uint64_t begin, uint64_t end) const {
  uint32_t crc = 0;  // the CRC of no bytes
  if (begin == end) return crc;
  for (size_t i = first_part_after(begin); i < parts_.size() && parts_[i].begin < end; ++i) {
    const Part& part = parts_[i];
    assert(begin <= part.begin && part.end <= end && part.runs.size() == 1);
    crc = crc32_of_both(crc, part.runs.front().crc, part.end - part.begin);
  }
  return crc;
}

}  // namespace ambry::io
