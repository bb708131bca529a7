#include "formats/finalfusion/chunk.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/checked.h"
#include "formats/finalfusion/finalfusion_layout.h"

namespace ambry::formats::finalfusion {

uint64_t ChunkHead::payload() const { return offset + kChunkHeadBytes; }

uint64_t ChunkHead::stated_end() const {
  return checked_add(payload(), length).value_or(UINT64_MAX);
}

std::string chunk_name(uint32_t id) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "Header",   "SimpleVocab", "NdArray",       "BucketVocab",   "QuantizedArray",
      "Metadata", "NdNorms",     "FastTextVocab", "ExplicitVocab", "FloretVocab"};
  return concat({id < kNames.size() ? kNames[id] : "unknown", " (", id, ")"});
}

Result<void> want(const io::Source& source, uint64_t offset, uint64_t size) {
  const uint64_t left = offset < source.size() ? source.size() - offset : 0;
  AMBRY_RETURN_IF_ERROR(source.view(offset, std::min(size, left), "file"));
  return {};
}

Result<ChunkHead> read_chunk_head(io::ByteReader& reader) {
  ChunkHead head;
  head.offset = reader.position();
  AMBRY_TRY(head.id, reader.read<uint32_t>("id"));
  AMBRY_TRY(head.length, reader.read<uint64_t>("len"));
  return head;
}

void check_length(const io::ByteReader& reader, const ChunkHead& head, uint64_t end,
                  uint64_t file_size, io::Diagnostics& diagnostics) {
  const uint64_t actual = end - head.payload();
  if (head.length == actual) return;
  const uint64_t at = head.offset + 4;
  if (head.stated_end() > file_size) {
    diagnostics.error(reader.fail(
        ErrorCode::Truncated, at, "len",
        {head.length, " bytes would pass the end of the file; the contents take ", actual}));
  } else {
    diagnostics.tolerate(reader.fail(ErrorCode::Mismatch, at, "len",
                                     {head.length, " bytes, but the contents take ", actual}));
  }
}

Result<void> read_type(io::ByteReader& reader, uint32_t expected, const char* field) {
  const uint64_t at = reader.position();
  AMBRY_TRY(const auto type, reader.read<uint32_t>(field));
  if (type == expected) return {};
  return reader.fail(
      ErrorCode::BadValue, at, field,
      {"the type ", type, ", must be ", expected, expected == kTypeU8 ? " (u8)" : " (f32)"});
}

Result<void> read_padding(io::ByteReader& reader, io::Diagnostics& diagnostics) {
  const uint64_t at = reader.position();
  AMBRY_TRY(const Bytes padding, reader.read_bytes(padding_after(at), "padding"));
  if (std::ranges::any_of(padding, [](uint8_t byte) { return byte != 0; })) {
    diagnostics.tolerate(
        reader.fail(ErrorCode::BadValue, at, "padding", "the padding is not zero"));
  }
  return {};
}

}  // namespace ambry::formats::finalfusion
