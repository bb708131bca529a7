// The members of a ZIP archive whose content is stored as it is, as PyTorch and NumPy write it.
// What is read is the directory at the archive's end; of a member's own header only what says where
// its bytes start. ZIP64 is understood. Names, places and sizes are checked against each other and
// the file, so that no two members share a byte.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/source.h"

namespace ambry::io {

struct ZipMember {
  std::string_view name;       // valid until the Source changes
  uint64_t header_offset = 0;  // of the member's own header
  uint64_t bytes = 0;          // of its content
  uint64_t end = 0;            // where the next member's header starts, or the directory
  uint64_t entry_offset = 0;   // of its entry in the directory, for errors
};

class ZipDirectory {
 public:
  // Unsupported, naming the member, for compression and encryption, and for archives in several
  // parts. BadValue for a name that leads out of the archive or occurs twice, and for members that
  // overlap. Restartable on NeedBytes.
  [[nodiscard]] static Result<ZipDirectory> read(const Source& source);

  [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }
  // Where the directory starts.
  [[nodiscard]] uint64_t offset() const { return offset_; }
  // nullptr when absent.
  [[nodiscard]] const ZipMember* find(std::string_view name) const;

 private:
  std::vector<ZipMember> members_;  // as listed
  std::vector<uint32_t> by_name_;
  uint64_t offset_ = 0;
};

// Where the member's content starts, from its own header, which must agree with the directory.
[[nodiscard]] Result<uint64_t> find_content(const Source& source, const ZipMember& member);

}  // namespace ambry::io
