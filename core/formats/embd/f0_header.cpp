#include "formats/embd/f0_header.h"

#include <string_view>

#include "base/checked.h"
#include "base/cut_off.h"
#include "base/order.h"
#include "formats/embd/embd_layout.h"
#include "io/crc32.h"

namespace ambry::formats::embd {
namespace {

struct Section {
  std::string_view path;
  uint64_t field_offset;
  uint64_t begin;
  uint64_t size;
  [[nodiscard]] uint64_t end() const { return begin + size; }
};

Result<void> check_version_and_flags(const F0Header& header, uint16_t major, uint32_t reserved,
                                     io::Diagnostics& diagnostics) {
  if (major != kVersionMajor) {
    return error_at(ErrorCode::UnsupportedVersion, kVersionAt, "header.version_major",
                    {"version ", major, ", supported is 1"});
  }
  if (header.version_minor > kVersionMinor) {
    diagnostics.warn(error_at(
        ErrorCode::UnsupportedVersion, kVersionAt + 2, "header.version_minor",
        {"minor version ", header.version_minor, " is newer than this reader; read as 1.0"}));
  }
  if (header.has(kFlagCompressed)) {
    return error_at(ErrorCode::Unsupported, kFlagsAt, "header.flags",
                    "compressed tensor data (flag COMPRESSED)");
  }
  if ((header.flags & ~kKnownFlags) != 0) {
    diagnostics.tolerate(
        error_at(ErrorCode::BadValue, kFlagsAt, "header.flags", "reserved flag bits are set"));
  }
  if (reserved != 0) {
    diagnostics.tolerate(error_at(ErrorCode::BadValue, kReservedAt, "header.reserved", "not zero"));
  }
  return {};
}

Result<void> check_sizes(const F0Header& header, uint64_t size) {
  if (header.total_size > size) {
    return cut_off(
        header.total_size,
        error_at(ErrorCode::Truncated, kTotalSizeAt, "header.total_file_size",
                 {"the header states ", header.total_size, " bytes, the file has ", size}));
  }
  if (header.total_size < size) {
    return error_at(
        ErrorCode::Mismatch, kTotalSizeAt, "header.total_file_size",
        {"the header states ", header.total_size, " bytes, but the file goes on to ", size});
  }
  const auto data_end = checked_add(header.data_offset, header.data_size);
  const auto end = data_end ? checked_add(*data_end, kFooterBytes) : std::nullopt;
  if (end && *end == size) return {};
  return error_at(
      ErrorCode::Mismatch, kDataSizeAt, "header.tensor_data_size",
      {"offset, size and the footer of 16 bytes do not add up to the file's ", size, " bytes"});
}

Result<void> check_section(const Section& section, uint64_t file_bytes) {
  const uint64_t limit = file_bytes - kFooterBytes;
  if (section.begin <= limit && section.size <= limit - section.begin) return {};
  return error_at(ErrorCode::Truncated, section.field_offset, section.path,
                  {section.size, " bytes from ", section.begin, " on pass the end of the file"});
}

}  // namespace

Result<F0Header> read_f0_header(const io::Source& source, io::Diagnostics& diagnostics) {
  F0Header header;
  AMBRY_TRY(const Bytes bytes, source.view(0, kHeaderBytes, "header"));
  const auto u32 = [&](uint64_t at) { return load_le<uint32_t>(bytes.data() + at); };
  header.version_minor = load_le<uint16_t>(bytes.data() + kVersionAt + 2);
  header.flags = u32(kFlagsAt);
  header.metadata_offset = u32(kMetadataOffsetAt);
  header.metadata_size = u32(kMetadataOffsetAt + 4);
  header.vocab_offset = u32(kVocabularyOffsetAt);
  header.vocab_size = u32(kVocabularyOffsetAt + 4);
  header.index_offset = u32(kIndexOffsetAt);
  header.index_count = u32(kIndexCountAt);
  header.data_offset = u32(kDataOffsetAt);
  header.data_size = load_le<uint64_t>(bytes.data() + kDataSizeAt);
  header.total_size = load_le<uint64_t>(bytes.data() + kTotalSizeAt);
  const uint32_t checksum = u32(kHeaderChecksumAt);
  AMBRY_RETURN_IF_ERROR(check_version_and_flags(
      header, load_le<uint16_t>(bytes.data() + kVersionAt), u32(kReservedAt), diagnostics));
  if (header.has(kFlagChecksums) && checksum != io::crc32(bytes.first(kHeaderChecksumAt))) {
    diagnostics.error(error_at(ErrorCode::Mismatch, kHeaderChecksumAt, "header.header_checksum",
                               "the header does not have this CRC-32: it is damaged"));
  }
  if (!header.has(kFlagChecksums) && checksum != 0) {
    diagnostics.tolerate(error_at(ErrorCode::BadValue, kHeaderChecksumAt, "header.header_checksum",
                                  "not zero although CHECKSUM_ENABLED is clear"));
  }
  AMBRY_RETURN_IF_ERROR(
      check_sizes(header, source.size_known() ? source.size() : header.total_size));
  return header;
}

Result<void> read_f0_footer(const io::Source& source, const F0Header& header,
                            io::Diagnostics& diagnostics, model::Model& model) {
  const uint64_t at = header.total_size - kFooterBytes;
  if (header.has(kFlagChecksums)) {
    model.checksums = {{header.data_offset, at, 0, at, "footer.data_checksum"},
                       {0, at, 0, at + 4, "footer.file_checksum"}};
  }
  if (source.sequential_only()) {
    for (model::ByteRangeCrc& checksum : model.checksums) checksum.read_later = true;
    model.closing_magic = model::ClosingMagic{at + 8, kEndMagic, "footer.magic_end"};
    return {};
  }
  AMBRY_TRY(const Bytes footer, source.view(at, kFooterBytes, "footer"));
  for (model::ByteRangeCrc& checksum : model.checksums) {
    checksum.expected = load_le<uint32_t>(footer.data() + (checksum.field_offset - at));
  }
  if (as_text(footer.subspan(8, 4)) != kEndMagic) {
    diagnostics.error(
        error_at(ErrorCode::BadMagic, at + 8, "footer.magic_end", "expected 44 42 4D 45 (DBME)"));
  }
  if (load_le<uint32_t>(footer.data() + 12) != 0) {
    diagnostics.tolerate(error_at(ErrorCode::BadValue, at + 12, "footer.reserved", "not zero"));
  }
  return {};
}

Result<void> check_f0_sections(const F0Header& header, uint64_t file_bytes,
                               io::Diagnostics& diagnostics) {
  std::vector<Section> sections = {
      {"header", 0, 0, kHeaderBytes},
      {"header.tensor_index_offset", kIndexOffsetAt, header.index_offset,
       uint64_t{header.index_count} * kDescriptorBytes},
      {"header.tensor_data_offset", kDataOffsetAt, header.data_offset, header.data_size}};
  if (header.metadata_size > 0) {
    sections.push_back({"header.metadata_offset", kMetadataOffsetAt, header.metadata_offset,
                        header.metadata_size});
  }
  if (header.has(kFlagVocabEmbedded)) {
    sections.push_back(
        {"header.vocab_offset", kVocabularyOffsetAt, header.vocab_offset, header.vocab_size});
  } else if (header.vocab_offset != 0 || header.vocab_size != 0) {
    diagnostics.tolerate(error_at(ErrorCode::BadValue, kVocabularyOffsetAt, "header.vocab_offset",
                                  "a vocabulary section although VOCAB_EMBEDDED is clear"));
  }
  for (const Section& section : sections) AMBRY_RETURN_IF_ERROR(check_section(section, file_bytes));
  sort_items(sections, [](const Section& a, const Section& b) { return a.begin < b.begin; });
  for (size_t i = 1; i < sections.size(); ++i) {
    if (sections[i].size == 0 || sections[i - 1].end() <= sections[i].begin) continue;
    diagnostics.error(
        error_at(ErrorCode::BadValue, sections[i].field_offset, sections[i].path,
                 {"starts at ", sections[i].begin, ", inside the section before it"}));
  }
  return {};
}

}  // namespace ambry::formats::embd
