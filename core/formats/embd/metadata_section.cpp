#include "formats/embd/metadata_section.h"

#include <string>

#include "formats/embd/embd_layout.h"
#include "io/byte_reader.h"
#include "io/limits.h"

namespace ambry::formats::embd {
namespace {

Result<io::Json> read_entries(io::ByteReader& reader, uint32_t count, uint64_t end,
                              io::Diagnostics& diagnostics) {
  io::Json metadata = io::Json::object();
  const uint64_t first = reader.position();
  for (uint32_t i = 0; i < count; ++i) {
    const auto scope = reader.enter("metadata", i);
    const uint64_t start = reader.position();
    if (end - start < kMetadataEntryBytes) {
      return reader.fail(ErrorCode::Truncated, start, "key_length", "the entries end before");
    }
    AMBRY_TRY(const auto key_length, reader.read<uint16_t>("key_length"));
    AMBRY_TRY(const auto value_length, reader.read<uint16_t>("value_length"));
    if (uint64_t{key_length} + value_length > end - reader.position()) {
      return reader.fail(ErrorCode::Truncated, start, "key_length",
                         "key and value pass the end of the entries");
    }
    AMBRY_TRY(const auto key, reader.read_utf8(key_length, "key"));
    if (key.empty()) return reader.fail(ErrorCode::BadValue, start, "key_length", "an empty key");
    const uint64_t value_offset = reader.position();
    AMBRY_TRY(const auto text, reader.read_utf8(value_length, "value"));
    if (metadata.find(key) != nullptr) {
      diagnostics.error(reader.fail(ErrorCode::BadValue, start + kMetadataEntryBytes, "key",
                                    {"\"", key, "\" occurs twice"}));
      continue;
    }
    metadata.append_member(std::string(key), text).set_byte_offset(value_offset);
  }
  if (reader.position() == end) return metadata;
  return error_at(ErrorCode::Mismatch, first - kMetadataHeaderBytes + 4, "metadata.total_size",
                  {"the entries take ", end - reader.position(), " bytes less than stated"});
}

}  // namespace

Result<io::Json> read_metadata_section(const io::Source& source, uint64_t offset, uint64_t size,
                                       io::Diagnostics& diagnostics) {
  if (size == 0) {
    diagnostics.tolerate(error_at(ErrorCode::BadValue, kMetadataOffsetAt + 4,
                                  "header.metadata_size", "there is no metadata section"));
    return io::Json::object();
  }
  if (size < kMetadataHeaderBytes || size > io::kMaxMetadataBytes) {
    return error_at(size < kMetadataHeaderBytes ? ErrorCode::Truncated : ErrorCode::LimitExceeded,
                    kMetadataOffsetAt + 4, "header.metadata_size", {size, " bytes"});
  }
  AMBRY_TRY(const Bytes section, source.view(offset, size, "metadata"));
  const auto count = load_le<uint32_t>(section.data());
  const auto entry_bytes = load_le<uint32_t>(section.data() + 4);
  const uint64_t room = size - kMetadataHeaderBytes;
  if (entry_bytes > room) {
    return error_at(ErrorCode::Truncated, offset + 4, "metadata.total_size",
                    {entry_bytes, " bytes of entries in a section with room for ", room});
  }
  if (entry_bytes < room) {
    diagnostics.tolerate(
        error_at(ErrorCode::BadValue, offset + 4, "metadata.total_size",
                 {room - entry_bytes, " bytes of the section follow the entries"}));
  }
  if (count > io::kMaxMetadataEntries) {
    return error_at(ErrorCode::LimitExceeded, offset, "metadata.entry_count",
                    {count, " entries, at most ", io::kMaxMetadataEntries});
  }
  io::ByteReader reader(source, offset + kMetadataHeaderBytes);
  return read_entries(reader, count, reader.position() + entry_bytes, diagnostics);
}

}  // namespace ambry::formats::embd
