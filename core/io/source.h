// A file that may be held only in part. The core does no I/O: parsers ask a Source for ranges, and
// where bytes are missing they return the Source's NeedBytes error to JavaScript (or to a test),
// which fetches the range, inserts it and parses again from the start. One parser thus serves a
// buffer, a dropped File, a Node file handle and an HTTP URL.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace ambry::io {

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // The size of the whole file in bytes.
  [[nodiscard]] virtual uint64_t size() const = 0;

  // `size` bytes from `offset` on, valid until the Source changes. Truncated when the range passes
  // the end of the file; NeedBytes when it lies in the file but is not held. `path` names the
  // field.
  [[nodiscard]] Result<Bytes> view(uint64_t offset, uint64_t size, std::string_view path) const;

 protected:
  // The range is inside the file. Returns data() == nullptr when it is not wholly held.
  [[nodiscard]] virtual Bytes find(uint64_t offset, uint64_t size) const = 0;
};

// A whole file in memory that somebody else owns.
class MemorySource final : public Source {
 public:
  explicit MemorySource(Bytes bytes) : bytes_(bytes) {}
  [[nodiscard]] uint64_t size() const override { return bytes_.size(); }

 protected:
  [[nodiscard]] Bytes find(uint64_t offset, uint64_t size) const override;

 private:
  Bytes bytes_;
};

// Separate pieces of a file of known size, as they arrive. Touching and overlapping pieces merge.
class PartialSource final : public Source {
 public:
  explicit PartialSource(uint64_t size) : size_(size) {}
  [[nodiscard]] uint64_t size() const override { return size_; }

  // Takes a copy of `bytes`, which start at `offset`. Truncated if they pass the end of the file.
  Result<void> insert(uint64_t offset, Bytes bytes);

  [[nodiscard]] uint64_t held_bytes() const;

 protected:
  [[nodiscard]] Bytes find(uint64_t offset, uint64_t size) const override;

 private:
  struct Part {
    uint64_t offset;
    std::vector<uint8_t> bytes;
    [[nodiscard]] uint64_t end() const { return offset + bytes.size(); }
  };

  uint64_t size_;
  std::vector<Part> pieces_;  // by offset; neither overlapping nor touching
};

}  // namespace ambry::io
