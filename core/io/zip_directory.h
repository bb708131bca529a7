// Lists the members of a ZIP archive whose content is stored without compression, as PyTorch and
// NumPy write it. The directory at the archive's end is read; a member's own header is read only to
// find where its bytes start. ZIP64 is supported. Names, offsets and sizes are checked against each
// other and the file, so no two members share a byte.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/source.h"

namespace ambry::io {

inline constexpr uint64_t kZipCrcAt = 16;

struct ZipMember {
  std::string_view name;       // valid until the Source changes
  uint64_t header_offset = 0;  // offset of the member's own header
  uint64_t bytes = 0;          // size of its content
  uint64_t end = 0;            // start of the next member's header or of the directory
  uint64_t entry_offset = 0;   // offset of its entry in the directory, for errors
  uint32_t crc = 0;            // CRC-32 of its content, at kZipCrcAt in the entry; unchecked
};

class ZipDirectory {
 public:
  // Unsupported, with the member's name, for compression and encryption and for archives in several
  // parts. BadValue for a name that leads out of the archive or occurs twice, and for members that
  // overlap. On NeedBytes, call it again.
  [[nodiscard]] static Result<ZipDirectory> read(const Source& source);

  [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }
  // Offset of the directory.
  [[nodiscard]] uint64_t offset() const { return offset_; }
  // Returns nullptr when there is no such member.
  [[nodiscard]] const ZipMember* find(std::string_view name) const;

 private:
  std::vector<ZipMember> members_;  // in the order of the directory
  std::vector<uint32_t> by_name_;
  uint64_t offset_ = 0;
};

// The offset of the member's content, from its own header, which must agree with the directory.
[[nodiscard]] Result<uint64_t> find_content(const Source& source, const ZipMember& member);

}  // namespace ambry::io
