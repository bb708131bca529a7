// One of several files that are read as one (Source::part_ends()).
#pragma once

#include "base/error.h"
#include "io/source.h"

namespace ambry::io {

// The bytes [begin, end) of another source, which must outlive this one. Offsets count from
// `begin`, those of NeedBytes too.
class SourcePart final : public Source {
 public:
  SourcePart(const Source& whole, uint64_t begin, uint64_t end)
      : whole_(whole), begin_(begin), end_(end) {}
  [[nodiscard]] uint64_t size() const override { return end_ - begin_; }

 protected:
  [[nodiscard]] Bytes find(uint64_t offset, uint64_t size) const override;

 private:
  const Source& whole_;
  uint64_t begin_;
  uint64_t end_;
};

// For people: the error of a joined source with the number of the part, from 1 on, in its path, and
// the offset in that part. Any other error stays as it is.
[[nodiscard]] Failure in_part(const Source& whole, Failure error);

}  // namespace ambry::io
