#include "search/rows/index_file.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "base/checked.h"
#include "io/byte_reader.h"
#include "io/crc32.h"
#include "search/rows/file_start.h"

namespace ambry::search {
namespace {

constexpr uint64_t kDataAlignment = 64;
constexpr uint64_t kDocumentsOffset = 56;

Result<uint32_t> read_known_version(io::ByteReader& reader, IndexContent content) {
  AMBRY_TRY(const uint32_t version, read_version(reader));
  const bool of_rows = content == IndexContent::Rows;
  const bool known =
      of_rows ? version == 1 || version == kRowsVersion : version == kDocumentsVersion;
  if (known) return version;
  const char* const which = of_rows && version == kDocumentsVersion
                                ? ", an index of token vectors; open it with a model of late "
                                  "interaction"
                            : of_rows ? ", this reader knows 1 and 2"
                                      : ", this reader knows 3";
  return reader.fail(ErrorCode::UnsupportedVersion, kVersionOffset, "version",
                     {"version ", version, which});
}

// The number of documents. Each has a row.
Result<void> read_documents(io::ByteReader& reader, IndexLayout& layout) {
  AMBRY_TRY(const uint32_t padding, reader.read<uint32_t>("padding"));
  if (padding != 0) return reader.fail(ErrorCode::BadValue, kKindEnd, "padding", "not zero");
  AMBRY_TRY(layout.n_documents, reader.read<uint64_t>("documents"));
  if (layout.n_documents <= layout.n_rows) return {};
  return reader.fail(ErrorCode::Mismatch, kDocumentsOffset, "documents",
                     {layout.n_documents, " documents, but ", layout.n_rows, " rows"});
}

Result<IndexLayout> read_layout(Bytes file, IndexContent content) {
  const io::MemorySource source(file);
  io::ByteReader reader(source);
  IndexLayout layout;
  AMBRY_TRY(layout.version, read_known_version(reader, content));
  AMBRY_TRY(const FileStart start, read_file_start(reader));
  AMBRY_RETURN_IF_ERROR(check_dim(start.dim, kDimOffset));
  layout.dim = start.dim;
  layout.n_rows = start.n_rows;
  layout.header_size = start.header_size;
  if (layout.version > 1) {
    AMBRY_TRY(layout.kind, read_kind(reader));
  }
  if (content == IndexContent::Documents) {
    AMBRY_RETURN_IF_ERROR(read_documents(reader, layout));
  }
  if (layout.n_rows > UINT32_MAX || !layout.place()) {
    return reader.fail(ErrorCode::LimitExceeded, kRowsOffset, "rows",
                       {layout.n_rows, " rows are too many"});
  }
  AMBRY_RETURN_IF_ERROR(check_data_offset(start.data_offset, layout.data_offset));
  if (start.file_size != layout.file_size) {
    return reader.fail(
        ErrorCode::Mismatch, kFileSizeOffset, "file_size",
        {start.file_size, ", but ", layout.file_size, " follows from the other fields"});
  }
  AMBRY_RETURN_IF_ERROR(check_file_size(start.file_size, file.size()));
  return layout;
}

Result<void> check_crc(Bytes file) {
  const uint64_t at = file.size() - sizeof(uint32_t);
  const auto stored = load_le<uint32_t>(file.data() + at);
  if (io::crc32(file.first(static_cast<size_t>(at))) == stored) return {};
  return error_at(ErrorCode::Mismatch, at, "crc32", "the file's checksum is wrong");
}

Result<void> check_zeros(Bytes file, uint64_t from, uint64_t to) {
  for (uint64_t at = from; at < to; ++at) {
    if (file[static_cast<size_t>(at)] != 0) {
      return error_at(ErrorCode::BadValue, at, "padding", "not zero");
    }
  }
  return {};
}

// All values must be finite and no scale negative.
Result<void> check_data(Bytes file, const IndexLayout& layout) {
  const bool scaled = layout.kind == RowKind::Int8;
  const uint64_t step = scaled ? row_size(layout.kind, layout.dim) : sizeof(float);
  const uint64_t end = layout.data_offset + layout.data_size;
  for (uint64_t at = layout.data_offset; at < end; at += step) {
    const auto value = load_le<float>(file.data() + at);
    if (std::isfinite(value) && (value >= 0 || !scaled)) continue;
    return error_at(ErrorCode::BadValue, at, "data", "not finite, or a negative scale");
  }
  return {};
}

// Each document has a row, and all of them have the rows of the file.
Result<void> check_lengths(Bytes file, const IndexLayout& layout) {
  uint64_t total = 0;
  for (uint64_t i = 0; i < layout.n_documents; ++i) {
    const uint64_t at = layout.lengths_offset + i * sizeof(uint32_t);
    const auto length = load_le<uint32_t>(file.data() + at);
    if (length == 0) {
      return error_at(ErrorCode::BadValue, at, {"lengths[", i, "]"}, "a document without rows");
    }
    total += length;
  }
  if (total == layout.n_rows) return {};
  return error_at(ErrorCode::Mismatch, layout.lengths_offset, "lengths",
                  {"the documents have ", total, " rows, but the file has ", layout.n_rows});
}

}  // namespace

bool IndexLayout::place() {
  header_offset = version == 1 ? kKindOffset : kDataAlignment;
  const auto header_end = checked_add(header_offset, header_size);
  const auto begin = header_end ? checked_align_up(*header_end, kDataAlignment) : std::nullopt;
  const auto size = checked_mul(n_rows, uint64_t{row_size(kind, dim)});
  if (!begin || !size) return false;
  const auto end = checked_add(*begin, *size);
  const auto lengths = checked_mul(n_documents, sizeof(uint32_t));
  const auto after = end && lengths ? checked_add(*end, *lengths) : std::nullopt;
  const auto whole = after ? checked_add(*after, sizeof(uint32_t)) : std::nullopt;
  if (!whole) return false;
  data_offset = *begin;
  data_size = *size;
  lengths_offset = *end;
  file_size = *whole;
  return true;
}

Result<void> check_dim(uint32_t dim, uint64_t byte_offset) {
  if (dim >= 1 && dim <= kMaxDim) return {};
  return error_at(ErrorCode::BadValue, byte_offset, "dim", {dim, " is not in 1 … ", kMaxDim});
}

Result<IndexLayout> read_index(Bytes file, IndexContent content) {
  AMBRY_TRY(IndexLayout layout, read_layout(file, content));
  AMBRY_RETURN_IF_ERROR(check_crc(file));
  if (layout.version == kRowsVersion) {
    AMBRY_RETURN_IF_ERROR(check_zeros(file, kKindEnd, layout.header_offset));
  }
  AMBRY_RETURN_IF_ERROR(
      check_zeros(file, layout.header_offset + layout.header_size, layout.data_offset));
  AMBRY_RETURN_IF_ERROR(check_data(file, layout));
  if (content == IndexContent::Documents) AMBRY_RETURN_IF_ERROR(check_lengths(file, layout));
  return layout;
}

Result<IndexPieces> write_index(const Rows& rows, Bytes header,
                                std::optional<std::span<const uint32_t>> lengths) {
  IndexLayout layout{.version = lengths ? kDocumentsVersion : kRowsVersion,
                     .kind = rows.kind,
                     .dim = rows.dim,
                     .n_rows = rows.size(),
                     .n_documents = lengths ? lengths->size() : 0,
                     .header_size = header.size()};
  [[maybe_unused]] const bool fits = layout.place();
  assert(fits);
  const auto head_size = static_cast<size_t>(layout.data_offset);
  const uint64_t tail_size = layout.file_size - layout.lengths_offset;
  AMBRY_TRY(AlignedBuffer ends, AlignedBuffer::allocate(layout.data_offset + tail_size));
  uint8_t* to = ends.data();
  std::memset(to, 0, head_size);
  const FileStart start{.dim = layout.dim,
                        .n_rows = layout.n_rows,
                        .header_size = layout.header_size,
                        .data_offset = layout.data_offset,
                        .file_size = layout.file_size};
  store_file_start(to, layout.version, start, rows.kind);
  if (lengths) store_le(to + kDocumentsOffset, layout.n_documents);
  std::ranges::copy(header, to + layout.header_offset);
  uint8_t* tail = to + head_size;
  for (size_t i = 0; i < layout.n_documents; ++i, tail += sizeof(uint32_t)) {
    store_le(tail, (*lengths)[i]);
  }
  io::Crc32 crc;
  crc.update({to, head_size});
  crc.update(rows.bytes);
  crc.update({to + head_size, tail});
  store_le(tail, crc.value());
  return IndexPieces{std::move(ends), head_size, rows.bytes};
}

}  // namespace ambry::search
