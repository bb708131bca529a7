// A file of which only parts may be in memory. The core does no I/O: a parser asks a Source for
// ranges. When bytes are missing, the parser returns the Source's NeedBytes error to JavaScript (or
// to a test), which fetches the range, inserts it and parses again from the start. The same parser
// thus reads a buffer, a dropped File, a Node file handle and an HTTP URL.
#pragma once

#include <cstdint>
#include <span>
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

  // The value of size() while the size is unknown: a server announced no length, or it compresses
  // the response.
  static constexpr uint64_t kUnknownSize = uint64_t{1} << 62;

  // The size of the whole file in bytes.
  [[nodiscard]] virtual uint64_t size() const = 0;
  [[nodiscard]] bool size_known() const { return size() != kUnknownSize; }
  // Whether the file can be read only once and in order. A parser that can do without the end of
  // the file then leaves it to the code that streams the file (`read_later` in model/file/model.h).
  [[nodiscard]] virtual bool sequential_only() const { return false; }

  // Where each of the files ends that are read as one, one after another (source_part.h). Empty for
  // a single file.
  [[nodiscard]] virtual std::span<const uint64_t> part_ends() const { return {}; }

  // Returns `size` bytes from `offset` on, valid until the Source changes. `path` names the field
  // in errors. Truncated when the range passes the end of the file. NeedBytes, with the missing
  // part, when the range is in the file but not in memory.
  [[nodiscard]] Result<Bytes> view(uint64_t offset, uint64_t size, std::string_view path) const;
  // Whether the file starts with these bytes.
  [[nodiscard]] Result<bool> starts_with(std::string_view magic) const;
  // The NeedBytes error, without an offset, of a parser that must know the size to go on.
  [[nodiscard]] static Failure need_size();

 protected:
  // The part of the range that is in memory, from its start on. The range lies inside the file.
  [[nodiscard]] virtual Bytes find(uint64_t offset, uint64_t size) const = 0;
};

// A whole file in memory. The caller owns the bytes.
class MemorySource final : public Source {
 public:
  explicit MemorySource(Bytes bytes) : bytes_(bytes) {}
  [[nodiscard]] uint64_t size() const override { return bytes_.size(); }

 protected:
  [[nodiscard]] Bytes find(uint64_t offset, uint64_t size) const override;

 private:
  Bytes bytes_;
};

// Separate parts of a file, inserted as they arrive. Touching and overlapping parts merge.
class PartialSource final : public Source {
 public:
  explicit PartialSource(uint64_t size, bool sequential_only = false)
      : size_(size), sequential_only_(sequential_only) {}
  [[nodiscard]] uint64_t size() const override { return size_; }
  [[nodiscard]] bool sequential_only() const override { return sequential_only_; }

  // Sets a size that was unknown before. No part may lie behind it.
  void set_size(uint64_t size) { size_ = size; }

  [[nodiscard]] std::span<const uint64_t> part_ends() const override { return part_ends_; }
  // Says that the source is several files. BadValue unless the ends ascend to the known size.
  Result<void> set_part_ends(std::vector<uint64_t> ends);

  // Copies `bytes`, which start at `offset`. Truncated if they pass the end of the file.
  Result<void> insert(uint64_t offset, Bytes bytes);

  [[nodiscard]] uint64_t loaded_bytes() const;

 protected:
  [[nodiscard]] Bytes find(uint64_t offset, uint64_t size) const override;

 private:
  struct Part {
    uint64_t offset;
    std::vector<uint8_t> bytes;
    [[nodiscard]] uint64_t end() const { return offset + bytes.size(); }
  };

  uint64_t size_;
  bool sequential_only_;
  std::vector<uint64_t> part_ends_;
  std::vector<Part> parts_;  // ordered by offset; neither overlapping nor touching
};

}  // namespace ambry::io
