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
    model_.version = concat({"F0 1.", header_.version_minor});
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

  // What a descriptor says about the tensor's name, which comes after all descriptors.
  struct Name {
    uint32_t hash;
    uint16_t length;
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
  Result<void> read_descriptor(const uint8_t* record, uint32_t i, Name& name);
  Result<void> read_names(const std::vector<Name>& names);
  void check_alignment(const model::TensorEntry& tensor, size_t index);

  const io::Source& source_;
  io::Diagnostics& diagnostics_;
  Header header_;
  model::Model model_;
};

Result<void> Parser::read_header() {
  AMBRY_TRY(const Bytes bytes, source_.view(0, kHeaderBytes, "header"));
  const auto u32 = [&](uint64_t at) { return load_le<uint32_t>(bytes.data() + at); };
  header_.version_minor = load_le<uint16_t>(bytes.data() + kVersionAt + 2);
  header_.flags = u32(kFlagsAt);
  header_.metadata_offset = u32(kMetadataOffsetAt);
  header_.metadata_size = u32(kMetadataOffsetAt + 4);
  header_.vocab_offset = u32(kVocabularyOffsetAt);
  header_.vocab_size = u32(kVocabularyOffsetAt + 4);
  header_.index_offset = u32(kIndexOffsetAt);
  header_.index_count = u32(kIndexCountAt);
  header_.data_offset = u32(kDataOffsetAt);
  header_.data_size = load_le<uint64_t>(bytes.data() + kDataSizeAt);
  header_.total_size = load_le<uint64_t>(bytes.data() + kTotalSizeAt);
  const uint32_t checksum = u32(kHeaderChecksumAt);
  AMBRY_CHECK(
      check_version_and_flags(load_le<uint16_t>(bytes.data() + kVersionAt), u32(kReservedAt)));
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
                    {"version ", major, ", supported is 1"});
  }
  if (header_.version_minor > kVersionMinor) {
    diagnostics_.warn(error_at(
        ErrorCode::UnsupportedVersion, kVersionAt + 2, "header.version_minor",
        {"minor version ", header_.version_minor, " is newer than this reader; read as 1.0"}));
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
                    {"the header states ", header_.total_size, " bytes, the file has ", size});
  }
  if (header_.total_size < size) {
    return error_at(
        ErrorCode::Mismatch, kTotalSizeAt, "header.total_file_size",
        {"the header states ", header_.total_size, " bytes, but the file goes on to ", size});
  }
  const auto data_end = checked_add(header_.data_offset, header_.data_size);
  const auto end = data_end ? checked_add(*data_end, kFooterBytes) : std::nullopt;
  if (end && *end == size) return {};
  return error_at(
      ErrorCode::Mismatch, kDataSizeAt, "header.tensor_data_size",
      {"offset, size and the footer of 16 bytes do not add up to the file's ", size, " bytes"});
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
  return error_at(ErrorCode::Truncated, section.field_offset, section.path,
                  {section.size, " bytes from ", section.begin, " on pass the end of the file"});
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
    diagnostics_.error(
        error_at(ErrorCode::BadValue, sections[i].field_offset, sections[i].path,
                 {"starts at ", sections[i].begin, ", inside the section before it"}));
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
                    {header_.metadata_size, " bytes"});
  }
  AMBRY_TRY(const Bytes section,
            source_.view(header_.metadata_offset, header_.metadata_size, "metadata"));
  const auto count = load_le<uint32_t>(section.data());
  const auto entry_bytes = load_le<uint32_t>(section.data() + 4);
  const uint64_t room = header_.metadata_size - kMetadataHeaderBytes;
  if (entry_bytes > room) {
    return error_at(ErrorCode::Truncated, header_.metadata_offset + 4, "metadata.total_size",
                    {entry_bytes, " bytes of entries in a section with room for ", room});
  }
  if (entry_bytes < room) {
    diagnostics_.tolerate(
        error_at(ErrorCode::BadValue, header_.metadata_offset + 4, "metadata.total_size",
                 {room - entry_bytes, " bytes of the section follow the entries"}));
  }
  if (count > io::kMaxMetadataEntries) {
    return error_at(ErrorCode::LimitExceeded, header_.metadata_offset, "metadata.entry_count",
                    {count, " entries, at most ", io::kMaxMetadataEntries});
  }
  io::ByteReader reader(source_, header_.metadata_offset + kMetadataHeaderBytes);
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
                                     {"\"", key, "\" occurs twice"}));
      continue;
    }
    model_.metadata.append_member(std::string(key), text).set_byte_offset(value_offset);
  }
  if (reader.position() == end) return {};
  return error_at(ErrorCode::Mismatch, header_.metadata_offset + 4, "metadata.total_size",
                  {"the entries take ", end - reader.position(), " bytes less than stated"});
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
                    {header_.index_count, " tensors, at most ", io::kMaxTensors});
  }
  // Every name has a byte at least, and the names end before the data begins.
  const uint64_t least = uint64_t{header_.index_count} * (kDescriptorBytes + 1);
  if (header_.index_offset > header_.data_offset ||
      least > header_.data_offset - header_.index_offset) {
    return error_at(
        ErrorCode::Truncated, kIndexCountAt, "header.tensor_index_count",
        {header_.index_count, " descriptors and names do not fit before the tensor data"});
  }
  AMBRY_TRY(const Bytes index,
            source_.view(header_.index_offset, header_.index_count * kDescriptorBytes, "tensors"));
  model_.tensors.resize(header_.index_count);
  std::vector<Name> names(header_.index_count);
  for (uint32_t i = 0; i < header_.index_count; ++i) {
    AMBRY_CHECK(read_descriptor(index.data() + i * kDescriptorBytes, i, names[i]));
  }
  AMBRY_CHECK(read_names(names));
  if (header_.has(kFlagTensorsAligned)) {
    for (size_t i = 0; i < model_.tensors.size(); ++i) check_alignment(model_.tensors[i], i);
  }
  model::check_names_unique(model_.tensors, diagnostics_);
  model::check_regions_disjoint(model_.tensors, diagnostics_);
  return {};
}

Result<void> Parser::read_descriptor(const uint8_t* record, uint32_t i, Name& name) {
  model::TensorEntry& tensor = model_.tensors[i];
  tensor.index_offset = header_.index_offset + uint64_t{i} * kDescriptorBytes;
  const auto fail = [&](ErrorCode code, uint64_t at, const char* field, const Text& message) {
    return error_at(code, tensor.index_offset + at, {"tensors[", i, "].", field}, message);
  };
  name = {load_le<uint32_t>(record), load_le<uint16_t>(record + 6)};  // compared once it is read
  const uint8_t dtype = record[4];
  if (dtype >= kDTypes.size()) {
    return fail(ErrorCode::Unsupported, 4, "dtype", {"data type ", dtype, ", known are 0 to 8"});
  }
  tensor.dtype = kDTypes[dtype];
  const uint8_t rank = record[5];
  if (rank == 0 || rank > kMaxRank) {
    return fail(ErrorCode::BadValue, 5, "ndim", {rank, " dimensions, allowed are 1 to 4"});
  }
  if (name.length == 0) return fail(ErrorCode::BadValue, 6, "name_length", "an empty name");
  for (size_t axis = 0; axis < kMaxRank; ++axis) {
    const uint64_t at = 8 + axis * sizeof(uint32_t);
    const char* field = kShapeFields[axis];
    const auto extent = load_le<uint32_t>(record + at);
    if (axis < rank) {
      if (extent == 0) return fail(ErrorCode::BadValue, at, field, "a dimension of size 0");
      tensor.shape.push_back(extent);
    } else if (extent != 0) {
      diagnostics_.tolerate(
          fail(ErrorCode::BadValue, at, field, "not zero, but past the last dimension"));
    }
  }
  const auto offset = load_le<uint64_t>(record + 24);
  const auto bytes = model::byte_size(tensor.shape, tensor.dtype);
  if (!bytes) return fail(ErrorCode::Overflow, 8, "shape", "the size passes 64 bits");
  if (offset > header_.data_size || *bytes > header_.data_size - offset) {
    return fail(ErrorCode::Truncated, 24, "data_offset",
                {*bytes, " bytes from ", offset, " on pass the end of the tensor data"});
  }
  tensor.offset = header_.data_offset + offset;
  tensor.bytes = *bytes;
  return {};
}

Result<void> Parser::read_names(const std::vector<Name>& names) {
  const uint64_t start = header_.index_offset + uint64_t{header_.index_count} * kDescriptorBytes;
  uint64_t total = 0;
  for (const Name& name : names) total += name.length;
  const uint64_t limit = header_.data_offset;
  if (start > limit || total > limit - start) {
    return error_at(ErrorCode::Truncated, kIndexOffsetAt, "tensor_names",
                    {"the names of the tensors (", total, " bytes) run into the tensor data"});
  }
  AMBRY_CHECK(source_.view(start, total, "tensor_names"));
  io::ByteReader reader(source_, start);
  for (size_t i = 0; i < names.size(); ++i) {
    model::TensorEntry& tensor = model_.tensors[i];
    const auto scope = reader.enter("tensors", i);
    AMBRY_TRY(const auto name, reader.read_utf8(names[i].length, "name"));
    if (const size_t nul = name.find('\0'); nul != std::string_view::npos) {
      return reader.fail(ErrorCode::BadValue, reader.position() - name.size() + nul, "name",
                         "a NUL byte in the name");
    }
    tensor.name = name;
    if (names[i].hash != name_hash(name)) {
      diagnostics_.tolerate(reader.fail(ErrorCode::Mismatch, tensor.index_offset, "name_hash",
                                        {"not the FNV-1a hash of \"", name, "\""}));
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
  Failure problem =
      error_at(ErrorCode::BadValue, tensor.index_offset + 24, {"tensors[", index, "].data_offset"},
               "not a multiple of 64 although TENSORS_ALIGNED is set");
  if (in_file || in_section) {
    problem->message += in_file ? " (only in the file)" : " (only within the tensor data)";
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
