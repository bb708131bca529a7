#include "io/source_part.h"

#include <algorithm>
#include <utility>

#include "base/concat.h"

namespace ambry::io {

Bytes SourcePart::find(uint64_t offset, uint64_t size) const {
  auto all = whole_.view(begin_ + offset, size, {});
  if (all) return *all;
  // The bytes before the first missing one are there.
  const uint64_t missing = all.error().byte_offset - begin_ - offset;
  auto first = whole_.view(begin_ + offset, std::min(missing, size), {});
  return first ? *first : Bytes();
}

Failure in_part(const Source& whole, Failure error) {
  const auto ends = whole.part_ends();
  if (ends.empty() || error->code == ErrorCode::NeedBytes || error->byte_offset == kNoOffset) {
    return error;
  }
  const auto end = std::ranges::upper_bound(ends, error->byte_offset);
  // The end of the last part belongs to it.
  const size_t part = std::min(static_cast<size_t>(end - ends.begin()), ends.size() - 1);
  error->byte_offset -= part == 0 ? 0 : ends[part - 1];
  error->path = concat({"part ", part + 1, ": ", error->path});
  return error;
}

}  // namespace ambry::io
