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

  // What size() says while nobody knows: a server announced no length, or compresses on the way.
  static constexpr uint64_t kUnknownSize = uint64_t{1} << 62;

  // The size of the whole file in bytes.
  [[nodiscard]] virtual uint64_t size() const = 0;
  [[nodiscard]] bool size_known() const { return size() != kUnknownSize; }
  // Whether the file can be had only once and in order. A parser that can do without the end of the
  // file leaves it to whoever streams it (`stated_later` in model/model.h).
  [[nodiscard]] virtual bool streams_by() const { return false; }

  // `size` bytes from `offset` on, valid until the Source changes. Truncated when the range passes
  // the end of the file; NeedBytes, with the part that is missing, when it lies in the file but is
  // not held. `path` names the field.
  [[nodiscard]] Result<Bytes> view(uint64_t offset, uint64_t size, std::string_view path) const;
  // Whether the file starts with these bytes, as formats with a magic do.
  [[nodiscard]] Result<bool> starts_with(std::string_view magic) const;
  // The NeedBytes, without a place, of a parser that cannot go on before the size is known.
  [[nodiscard]] static Failure need_size();

 protected:
  // The part of the range that is held from its start on; the range is inside the file.
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

// Separate pieces of a file, as they arrive. Touching and overlapping pieces merge.
class PartialSource final : public Source {
 public:
  explicit PartialSource(uint64_t size, bool streams_by = false)
      : size_(size), streams_by_(streams_by) {}
  [[nodiscard]] uint64_t size() const override { return size_; }
  [[nodiscard]] bool streams_by() const override { return streams_by_; }

  // A size that was not known shows itself; no piece may lie behind it.
  void ends_at(uint64_t size) { size_ = size; }

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
  bool streams_by_;
  std::vector<Part> pieces_;  // by offset; neither overlapping nor touching
};

}  // namespace ambry::io
