// The first fields of an index file. They are the same in all versions (README.md).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "io/byte_reader.h"
#include "search/rows/rows.h"

namespace ambry::search {

inline constexpr std::string_view kMagic = "AMBRYIDX";
inline constexpr uint64_t kVersionOffset = 8;
inline constexpr uint64_t kDimOffset = 12;
inline constexpr uint64_t kRowsOffset = 16;
inline constexpr uint64_t kHeaderSizeOffset = 24;
inline constexpr uint64_t kDataOffsetOffset = 32;
inline constexpr uint64_t kFileSizeOffset = 40;
inline constexpr uint64_t kKindOffset = 48;
inline constexpr uint64_t kKindEnd = 52;

// The fields between the version and the kind.
struct FileStart {
  uint32_t dim = 0;
  uint64_t n_rows = 0;
  uint64_t header_size = 0;
  uint64_t data_offset = 0;
  uint64_t file_size = 0;
};

// Reads the magic and the version. BadMagic for another file.
[[nodiscard]] Result<uint32_t> read_version(io::ByteReader& reader);

[[nodiscard]] Result<FileStart> read_file_start(io::ByteReader& reader);

// BadValue for a number that is no kind of rows.
[[nodiscard]] Result<RowKind> read_kind(io::ByteReader& reader);

// Mismatch unless the offset of the data is the one that follows from the other fields.
[[nodiscard]] Result<void> check_data_offset(uint64_t stated, uint64_t expected);

// Truncated or BadValue unless the file has as many bytes as it states.
[[nodiscard]] Result<void> check_file_size(uint64_t stated, uint64_t real);

// Writes the magic and all fields above to `to`.
void store_file_start(uint8_t* to, uint32_t version, const FileStart& start, RowKind kind);

}  // namespace ambry::search
