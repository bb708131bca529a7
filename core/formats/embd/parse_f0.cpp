#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/checked.h"
#include "base/order.h"
#include "base/utf8.h"
#include "formats/embd/layout.h"
#include "formats/embd/parse.h"
#include "formats/embd/vocabulary_section.h"
#include "io/byte_reader.h"
#include "io/crc32.h"
#include "io/limits.h"
#include "model/encoder_metadata.h"
#include "model/tensor_table.h"

namespace ambry::formats::embd {
namespace {

struct Header {
  uint16_t version_minor = 0;
  uint32_t flags = 0;
  uint32_t metadata_offset = 0;
  uint32_t metadata_size = 0;
  uint32_t vocab_offset = 0;
  uint32_t vocab_size = 0;
  uint32_t index_offset = 0;
  uint32_t index_count = 0;
  uint32_t data_offset = 0;
  uint64_t data_size = 0;
  uint64_t total_size = 0;

  [[nodiscard]] bool has(uint32_t flag) const { return (flags & flag) != 0; }
};

class Parser {
 public:
  Parser(const io::Source& source, io::Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  Result<model::Model> parse() {
    AMBRY_CHECK(read_header());
    AMBRY_CHECK(check_sizes());
    AMBRY_CHECK(read_footer());
    AMBRY_CHECK(check_sections());
    AMBRY_CHECK(read_metadata());
    if (header_.has(kFlagVocabEmbedded)) AMBRY_CHECK(read_vocabulary());
    AMBRY_CHECK(read_tensors());
    model_.format = "embd";
    model_.version = "F0 1." + std::to_string(header_.version_minor);
    model_.file_bytes = source_.size();
    return std::move(model_);
  }

 private:
  struct Section {
    std::string_view path;
    uint64_t field_offset;
    uint64_t begin;
    uint64_t size;
    [[nodiscard]] uint64_t end() const { return begin + size; }
  };

  Result<void> read_header();
  Result<void> check_version_and_flags(uint16_t major, uint32_t reserved);
  Result<void> check_sizes();
  Result<void> read_footer();
  Result<void> check_sections();
  Result<void> check_section(const Section& section) const;
  Result<void> read_metadata();
  Result<void> read_metadata_entries(io::ByteReader& reader, uint32_t count, uint64_t end);
  Result<void> read_vocabulary();
  Result<void> read_tensors();
  Result<void> read_descriptor(io::ByteReader& reader, model::TensorEntry& tensor,
                               uint16_t& name_length);
  Result<void> read_names(const std::vector<uint16_t>& name_lengths);
  void check_alignment(const model::TensorEntry& tensor, size_t index);

  const io::Source& source_;
  io::Diagnostics& diagnostics_;
  Header header_;
  model::Model model_;
};

Result<void> Parser::read_header() {
  AMBRY_TRY(const Bytes bytes, source_.view(0, kHeaderBytes, "header"));
  io::ByteReader reader(source_, kVersionAt);
  const auto scope = reader.enter("header");
  AMBRY_TRY(const auto major, reader.read<uint16_t>("version_major"));
  AMBRY_TRY(header_.version_minor, reader.read<uint16_t>("version_minor"));
  AMBRY_TRY(header_.flags, reader.read<uint32_t>("flags"));
  AMBRY_TRY(header_.metadata_offset, reader.read<uint32_t>("metadata_offset"));
  AMBRY_TRY(header_.metadata_size, reader.read<uint32_t>("metadata_size"));
  AMBRY_TRY(header_.vocab_offset, reader.read<uint32_t>("vocab_offset"));
  AMBRY_TRY(header_.vocab_size, reader.read<uint32_t>("vocab_size"));
  AMBRY_TRY(header_.index_offset, reader.read<uint32_t>("tensor_index_offset"));
  AMBRY_TRY(header_.index_count, reader.read<uint32_t>("tensor_index_count"));
  AMBRY_TRY(header_.data_offset, reader.read<uint32_t>("tensor_data_offset"));
  AMBRY_TRY(header_.data_size, reader.read<uint64_t>("tensor_data_size"));
  AMBRY_TRY(header_.total_size, reader.read<uint64_t>("total_file_size"));
  AMBRY_TRY(const auto checksum, reader.read<uint32_t>("header_checksum"));
  AMBRY_TRY(const auto reserved, reader.read<uint32_t>("reserved"));
  AMBRY_CHECK(check_version_and_flags(major, reserved));
  if (header_.has(kFlagChecksums) && checksum != io::crc32(bytes.first(kHeaderChecksumAt))) {
    diagnostics_.error(error_at(ErrorCode::Mismatch, kHeaderChecksumAt, "header.header_checksum",
                                "the header does not have this CRC-32: it is damaged"));
  }
  if (!header_.has(kFlagChecksums) && checksum != 0) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, kHeaderChecksumAt, "header.header_checksum",
                                   "not zero although CHECKSUM_ENABLED is clear"));
  }
  return {};
}

Result<void> Parser::check_version_and_flags(uint16_t major, uint32_t reserved) {
  if (major != kVersionMajor) {
    return error_at(ErrorCode::UnsupportedVersion, kVersionAt, "header.version_major",
                    "version " + std::to_string(major) + ", supported is 1");
  }
  if (header_.version_minor > kVersionMinor) {
    diagnostics_.warn(error_at(ErrorCode::UnsupportedVersion, kVersionAt + 2,
                               "header.version_minor",
                               "minor version " + std::to_string(header_.version_minor) +
                                   " is newer than this reader; read as 1.0"));
  }
  if (header_.has(kFlagCompressed)) {
    return error_at(ErrorCode::Unsupported, kFlagsAt, "header.flags",
                    "compressed tensor data (flag COMPRESSED)");
  }
  if ((header_.flags & ~kKnownFlags) != 0) {
    diagnostics_.tolerate(
        error_at(ErrorCode::BadValue, kFlagsAt, "header.flags", "reserved flag bits are set"));
  }
  if (reserved != 0) {
    diagnostics_.tolerate(
        error_at(ErrorCode::BadValue, kReservedAt, "header.reserved", "not zero"));
  }
  return {};
}

Result<void> Parser::check_sizes() {
  const uint64_t size = source_.size();
  if (header_.total_size > size) {
    return error_at(ErrorCode::Truncated, kTotalSizeAt, "header.total_file_size",
                    "the header states " + std::to_string(header_.total_size) +
                        " bytes, the file has " + std::to_string(size));
  }
  if (header_.total_size < size) {
    return error_at(ErrorCode::Mismatch, kTotalSizeAt, "header.total_file_size",
                    "the header states " + std::to_string(header_.total_size) +
                        " bytes, but the file goes on to " + std::to_string(size));
  }
  const auto data_end = checked_add(header_.data_offset, header_.data_size);
  const auto end = data_end ? checked_add(*data_end, kFooterBytes) : std::nullopt;
  if (end && *end == size) return {};
  return error_at(ErrorCode::Mismatch, kDataSizeAt, "header.tensor_data_size",
                  "offset, size and the footer of 16 bytes do not add up to the file's " +
                      std::to_string(size) + " bytes");
}

Result<void> Parser::read_footer() {
  const uint64_t at = source_.size() - kFooterBytes;
  AMBRY_TRY(const Bytes footer, source_.view(at, kFooterBytes, "footer"));
  if (as_text(footer.subspan(8, 4)) != kEndMagic) {
    diagnostics_.error(
        error_at(ErrorCode::BadMagic, at + 8, "footer.magic_end", "expected 44 42 4D 45 (DBME)"));
  }
  if (load_le<uint32_t>(footer.data() + 12) != 0) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, at + 12, "footer.reserved", "not zero"));
  }
  if (header_.has(kFlagChecksums)) {
    model_.checksums = {
        {header_.data_offset, at, load_le<uint32_t>(footer.data()), at, "footer.data_checksum"},
        {0, at, load_le<uint32_t>(footer.data() + 4), at + 4, "footer.file_checksum"}};
  }
  return {};
}

Result<void> Parser::check_section(const Section& section) const {
  const uint64_t limit = source_.size() - kFooterBytes;
  if (section.begin <= limit && section.size <= limit - section.begin) return {};
  return error_at(ErrorCode::Truncated, section.field_offset, std::string(section.path),
                  std::to_string(section.size) + " bytes from " + std::to_string(section.begin) +
                      " on pass the end of the file");
}

// Sections may come in any order, but within the file and apart from each other.
Result<void> Parser::check_sections() {
  std::vector<Section> sections = {
      {"header", 0, 0, kHeaderBytes},
      {"header.tensor_index_offset", kIndexOffsetAt, header_.index_offset,
       uint64_t{header_.index_count} * kDescriptorBytes},
      {"header.tensor_data_offset", kDataOffsetAt, header_.data_offset, header_.data_size}};
  if (header_.metadata_size > 0) {
    sections.push_back({"header.metadata_offset", kMetadataOffsetAt, header_.metadata_offset,
                        header_.metadata_size});
  }
  if (header_.has(kFlagVocabEmbedded)) {
    sections.push_back(
        {"header.vocab_offset", kVocabularyOffsetAt, header_.vocab_offset, header_.vocab_size});
  } else if (header_.vocab_offset != 0 || header_.vocab_size != 0) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, kVocabularyOffsetAt, "header.vocab_offset",
                                   "a vocabulary section although VOCAB_EMBEDDED is clear"));
  }
  for (const Section& section : sections) AMBRY_CHECK(check_section(section));
  sort_items(sections, [](const Section& a, const Section& b) { return a.begin < b.begin; });
  for (size_t i = 1; i < sections.size(); ++i) {
    if (sections[i].size == 0 || sections[i - 1].end() <= sections[i].begin) continue;
    diagnostics_.error(error_at(
        ErrorCode::BadValue, sections[i].field_offset, std::string(sections[i].path),
        "starts at " + std::to_string(sections[i].begin) + ", inside the section before it"));
  }
  return {};
}

Result<void> Parser::read_metadata() {
  if (header_.metadata_size == 0) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, kMetadataOffsetAt + 4,
                                   "header.metadata_size", "there is no metadata section"));
    return {};
  }
  if (header_.metadata_size < kMetadataHeaderBytes ||
      header_.metadata_size > io::kMaxMetadataBytes) {
    return error_at(header_.metadata_size < kMetadataHeaderBytes ? ErrorCode::Truncated
                                                                 : ErrorCode::LimitExceeded,
                    kMetadataOffsetAt + 4, "header.metadata_size",
                    std::to_string(header_.metadata_size) + " bytes");
  }
  AMBRY_CHECK(source_.view(header_.metadata_offset, header_.metadata_size, "metadata"));
  io::ByteReader reader(source_, header_.metadata_offset);
  AMBRY_TRY(const auto count, reader.read<uint32_t>("metadata.entry_count"));
  AMBRY_TRY(const auto entry_bytes, reader.read<uint32_t>("metadata.total_size"));
  const uint64_t room = header_.metadata_size - kMetadataHeaderBytes;
  if (entry_bytes > room) {
    return error_at(ErrorCode::Truncated, header_.metadata_offset + 4, "metadata.total_size",
                    std::to_string(entry_bytes) + " bytes of entries in a section with room for " +
                        std::to_string(room));
  }
  if (entry_bytes < room) {
    diagnostics_.tolerate(
        error_at(ErrorCode::BadValue, header_.metadata_offset + 4, "metadata.total_size",
                 std::to_string(room - entry_bytes) + " bytes of the section follow the entries"));
  }
  if (count > io::kMaxMetadataEntries) {
    return error_at(
        ErrorCode::LimitExceeded, header_.metadata_offset, "metadata.entry_count",
        std::to_string(count) + " entries, at most " + std::to_string(io::kMaxMetadataEntries));
  }
  return read_metadata_entries(reader, count, reader.position() + entry_bytes);
}

Result<void> Parser::read_metadata_entries(io::ByteReader& reader, uint32_t count, uint64_t end) {
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
    if (model_.metadata.find(key) != nullptr) {
      diagnostics_.error(reader.fail(ErrorCode::BadValue, start + kMetadataEntryBytes, "key",
                                     "\"" + std::string(key) + "\" occurs twice"));
      continue;
    }
    model_.metadata.append_member(std::string(key), text).set_byte_offset(value_offset);
  }
  if (reader.position() == end) return {};
  return error_at(
      ErrorCode::Mismatch, header_.metadata_offset + 4, "metadata.total_size",
      "the entries take " + std::to_string(end - reader.position()) + " bytes less than stated");
}

Result<void> Parser::read_vocabulary() {
  AMBRY_TRY(
      model::TokenizerData tokenizer,
      read_vocabulary_section(source_, header_.vocab_offset, header_.vocab_size, diagnostics_));
  AMBRY_CHECK(model::read_tokenizer_metadata(model_.metadata, tokenizer));
  model_.tokenizer = std::move(tokenizer);
  return {};
}

Result<void> Parser::read_tensors() {
  if (header_.index_count > io::kMaxTensors) {
    return error_at(ErrorCode::LimitExceeded, kIndexCountAt, "header.tensor_index_count",
                    std::to_string(header_.index_count) + " tensors, at most " +
                        std::to_string(io::kMaxTensors));
  }
  // Every name has a byte at least, and the names end before the data begins.
  const uint64_t least = uint64_t{header_.index_count} * (kDescriptorBytes + 1);
  if (header_.index_offset > header_.data_offset ||
      least > header_.data_offset - header_.index_offset) {
    return error_at(ErrorCode::Truncated, kIndexCountAt, "header.tensor_index_count",
                    std::to_string(header_.index_count) +
                        " descriptors and names do not fit before the tensor data");
  }
  AMBRY_CHECK(
      source_.view(header_.index_offset, header_.index_count * kDescriptorBytes, "tensors"));
  io::ByteReader reader(source_, header_.index_offset);
  model_.tensors.resize(header_.index_count);
  std::vector<uint16_t> name_lengths(header_.index_count);
  for (uint32_t i = 0; i < header_.index_count; ++i) {
    const auto scope = reader.enter("tensors", i);
    AMBRY_CHECK(read_descriptor(reader, model_.tensors[i], name_lengths[i]));
  }
  AMBRY_CHECK(read_names(name_lengths));
  if (header_.has(kFlagTensorsAligned)) {
    for (size_t i = 0; i < model_.tensors.size(); ++i) check_alignment(model_.tensors[i], i);
  }
  model::check_names_unique(model_.tensors, diagnostics_);
  model::check_regions_disjoint(model_.tensors, diagnostics_);
  return {};
}

Result<void> Parser::read_descriptor(io::ByteReader& reader, model::TensorEntry& tensor,
                                     uint16_t& name_length) {
  const uint64_t start = reader.position();
  tensor.index_offset = start;
  AMBRY_CHECK(reader.skip(sizeof(uint32_t), "name_hash"));  // compared once the name is read
  AMBRY_TRY(const auto dtype, reader.read<uint8_t>("dtype"));
  if (dtype >= kDTypes.size()) {
    return reader.fail(ErrorCode::Unsupported, start + 4, "dtype",
                       "data type " + std::to_string(dtype) + ", known are 0 to 8");
  }
  tensor.dtype = kDTypes[dtype];
  AMBRY_TRY(const auto rank, reader.read<uint8_t>("ndim"));
  if (rank == 0 || rank > kMaxRank) {
    return reader.fail(ErrorCode::BadValue, start + 5, "ndim",
                       std::to_string(rank) + " dimensions, allowed are 1 to 4");
  }
  AMBRY_TRY(name_length, reader.read<uint16_t>("name_length"));
  if (name_length == 0) {
    return reader.fail(ErrorCode::BadValue, start + 6, "name_length", "an empty name");
  }
  for (size_t axis = 0; axis < kMaxRank; ++axis) {
    const uint64_t at = reader.position();
    const std::string field = "shape[" + std::to_string(axis) + "]";
    AMBRY_TRY(const auto extent, reader.read<uint32_t>(field));
    if (axis < rank) {
      if (extent == 0) return reader.fail(ErrorCode::BadValue, at, field, "a dimension of size 0");
      tensor.shape.push_back(extent);
    } else if (extent != 0) {
      diagnostics_.tolerate(
          reader.fail(ErrorCode::BadValue, at, field, "not zero, but past the last dimension"));
    }
  }
  AMBRY_TRY(const auto offset, reader.read<uint64_t>("data_offset"));
  const auto bytes = model::byte_size(tensor.shape, tensor.dtype);
  if (!bytes) {
    return reader.fail(ErrorCode::Overflow, start + 8, "shape", "the size passes 64 bits");
  }
  if (offset > header_.data_size || *bytes > header_.data_size - offset) {
    return reader.fail(ErrorCode::Truncated, start + 24, "data_offset",
                       std::to_string(*bytes) + " bytes from " + std::to_string(offset) +
                           " on pass the end of the tensor data");
  }
  tensor.offset = header_.data_offset + offset;
  tensor.bytes = *bytes;
  return {};
}

Result<void> Parser::read_names(const std::vector<uint16_t>& name_lengths) {
  const uint64_t start = header_.index_offset + uint64_t{header_.index_count} * kDescriptorBytes;
  uint64_t total = 0;
  for (const uint16_t length : name_lengths) total += length;
  const uint64_t limit = header_.data_offset;
  if (start > limit || total > limit - start) {
    return error_at(
        ErrorCode::Truncated, kIndexOffsetAt, "tensor_names",
        "the names of the tensors (" + std::to_string(total) + " bytes) run into the tensor data");
  }
  AMBRY_CHECK(source_.view(start, total, "tensor_names"));
  io::ByteReader reader(source_, start);
  for (size_t i = 0; i < name_lengths.size(); ++i) {
    model::TensorEntry& tensor = model_.tensors[i];
    const auto scope = reader.enter("tensors", i);
    AMBRY_TRY(const auto name, reader.read_utf8(name_lengths[i], "name"));
    if (const size_t nul = name.find('\0'); nul != std::string_view::npos) {
      return reader.fail(ErrorCode::BadValue, reader.position() - name.size() + nul, "name",
                         "a NUL byte in the name");
    }
    tensor.name = name;
    AMBRY_TRY(const Bytes hash, source_.view(tensor.index_offset, sizeof(uint32_t), "name_hash"));
    if (load_le<uint32_t>(hash.data()) != name_hash(name)) {
      diagnostics_.tolerate(reader.fail(ErrorCode::Mismatch, tensor.index_offset, "name_hash",
                                        "not the FNV-1a hash of \"" + tensor.name + "\""));
    }
  }
  return {};
}

// TENSORS_ALIGNED means a multiple of 64 both in the file and in the data section; writers that met
// only one of them are read, because nothing here relies on it.
void Parser::check_alignment(const model::TensorEntry& tensor, size_t index) {
  const bool in_file = tensor.offset % kDataAlignment == 0;
  const bool in_section = (tensor.offset - header_.data_offset) % kDataAlignment == 0;
  if (in_file && in_section) return;
  Error problem = error_at(ErrorCode::BadValue, tensor.index_offset + 24,
                           "tensors[" + std::to_string(index) + "].data_offset",
                           "not a multiple of 64 although TENSORS_ALIGNED is set");
  if (in_file || in_section) {
    problem.message += in_file ? " (only in the file)" : " (only within the tensor data)";
    diagnostics_.warn(std::move(problem));
  } else {
    diagnostics_.tolerate(std::move(problem));
  }
}

}  // namespace

Result<model::Model> parse_f0(const io::Source& source, io::Diagnostics& diagnostics) {
  return Parser(source, diagnostics).parse();
}

}  // namespace ambry::formats::embd
