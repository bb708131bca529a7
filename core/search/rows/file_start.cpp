#include "search/rows/file_start.h"

#include <cstring>

#include "base/bytes.h"

namespace ambry::search {

Result<uint32_t> read_version(io::ByteReader& reader) {
  AMBRY_TRY(const Bytes magic, reader.read_bytes(kMagic.size(), "magic"));
  if (as_text(magic) != kMagic) {
    return reader.fail(ErrorCode::BadMagic, 0, "magic", "not an Ambry index (AMBRYIDX)");
  }
  return reader.read<uint32_t>("version");
}

Result<FileStart> read_file_start(io::ByteReader& reader) {
  FileStart start;
  AMBRY_TRY(start.dim, reader.read<uint32_t>("dim"));
  AMBRY_TRY(start.n_rows, reader.read<uint64_t>("rows"));
  AMBRY_TRY(start.header_size, reader.read<uint64_t>("header_size"));
  AMBRY_TRY(start.data_offset, reader.read<uint64_t>("data_offset"));
  AMBRY_TRY(start.file_size, reader.read<uint64_t>("file_size"));
  return start;
}

Result<RowKind> read_kind(io::ByteReader& reader) {
  AMBRY_TRY(const uint32_t kind, reader.read<uint32_t>("kind"));
  if (kind <= static_cast<uint32_t>(RowKind::Int8)) return static_cast<RowKind>(kind);
  return reader.fail(ErrorCode::BadValue, kKindOffset, "kind", {kind, " is neither 0 nor 1"});
}

Result<void> check_data_offset(uint64_t stated, uint64_t expected) {
  if (stated == expected) return {};
  return error_at(ErrorCode::Mismatch, kDataOffsetOffset, "data_offset",
                  {stated, ", but ", expected, " follows from the other fields"});
}

Result<void> check_file_size(uint64_t stated, uint64_t real) {
  if (stated > real) {
    return error_at(ErrorCode::Truncated, kFileSizeOffset, "file_size",
                    {stated, " bytes, but the file has ", real});
  }
  if (stated == real) return {};
  return error_at(ErrorCode::BadValue, stated, "file_size", "more bytes follow the index");
}

void store_file_start(uint8_t* to, uint32_t version, const FileStart& start, RowKind kind) {
  std::memcpy(to, kMagic.data(), kMagic.size());
  store_le(to + kVersionOffset, version);
  store_le(to + kDimOffset, start.dim);
  store_le(to + kRowsOffset, start.n_rows);
  store_le(to + kHeaderSizeOffset, start.header_size);
  store_le(to + kDataOffsetOffset, start.data_offset);
  store_le(to + kFileSizeOffset, start.file_size);
  store_le(to + kKindOffset, static_cast<uint32_t>(kind));
}

}  // namespace ambry::search
