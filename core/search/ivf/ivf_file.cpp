#include "search/ivf/ivf_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/checked.h"
#include "io/byte_reader.h"
#include "io/crc32.h"
#include "search/ivf/row_store.h"
#include "search/rows/file_start.h"
#include "search/rows/index_file.h"

namespace ambry::search {
namespace {

constexpr uint64_t kListCountOffset = kKindEnd;
constexpr uint64_t kListCodeSizeOffset = 56;
constexpr uint64_t kListPaddingOffset = 60;
constexpr uint64_t kMostListHeader = uint64_t{1} << 20;
// rows, spread, CRC-32 of the codes, bytes of ids, their CRC-32
constexpr uint64_t kTableRow = 20;
constexpr uint64_t kCrcSize = 4;
// Rows have the length 1, so their distances are not above 2, but for rounding.
constexpr float kMostSpread = 4;

// The fields of the first bytes.
struct Start : FileStart {
  RowKind kind = RowKind::F32;
  uint32_t n_lists = 0;
  uint32_t code_size = 0;

  [[nodiscard]] uint64_t centroids_offset() const { return kListFileStart + header_size; }
  [[nodiscard]] uint64_t table_offset() const {
    return centroids_offset() +
           (code_size == 0 ? 0 : uint64_t{n_lists} * row_size(RowKind::Int8, dim));
  }
  [[nodiscard]] uint64_t crc_offset() const { return table_offset() + n_lists * kTableRow; }
};

Result<void> check_version(io::ByteReader& reader) {
  AMBRY_TRY(const uint32_t version, read_version(reader));
  if (version == kListsVersion) return {};
  return reader.fail(ErrorCode::UnsupportedVersion, kVersionOffset, "version",
                     {"version ", version,
                      version < kListsVersion ? ", an index of passages; open it with its model"
                                              : ", this reader knows 4"});
}

Result<void> check_counts(const io::ByteReader& reader, const Start& start) {
  AMBRY_RETURN_IF_ERROR(check_dim(start.dim, kDimOffset));
  if (start.n_rows > UINT32_MAX) {
    return reader.fail(ErrorCode::LimitExceeded, kRowsOffset, "rows",
                       {start.n_rows, " rows are too many"});
  }
  if (start.header_size > kMostListHeader) {
    return reader.fail(ErrorCode::LimitExceeded, kHeaderSizeOffset, "header_size",
                       {start.header_size, " bytes are too many"});
  }
  const bool may_have = start.code_size == 0
                            ? start.n_lists == 1
                            : start.n_lists >= 1 && start.n_lists <= kMostListsOfFile &&
                                  uint64_t{start.n_lists} * start.dim <= kMostCentroidValues;
  if (!may_have) {
    return reader.fail(ErrorCode::BadValue, kListCountOffset, "lists",
                       {start.n_lists, " lists are not possible"});
  }
  if (start.code_size != 0 && start.code_size != sign_code_size(start.dim)) {
    return reader.fail(
        ErrorCode::Mismatch, kListCodeSizeOffset, "code_size",
        {start.code_size, ", but codes of this length have ", sign_code_size(start.dim)});
  }
  return check_data_offset(start.data_offset, start.crc_offset() + kCrcSize);
}

Result<void> check_sizes(const Start& start, uint64_t real) {
  AMBRY_RETURN_IF_ERROR(check_file_size(start.file_size, real));
  // Cannot overflow: the factors have 32 bits and less.
  const uint64_t rows = start.n_rows * (start.code_size + record_size(start.kind, start.dim));
  const auto least = checked_add(start.data_offset, rows);
  if (least && *least <= start.file_size) return {};
  return error_at(ErrorCode::Mismatch, kRowsOffset, "rows",
                  {start.n_rows, " rows do not fit into ", start.file_size, " bytes"});
}

Result<Start> read_start(Bytes bytes, uint64_t file_size) {
  const io::MemorySource source(bytes);
  io::ByteReader reader(source);
  AMBRY_RETURN_IF_ERROR(check_version(reader));
  Start start;
  AMBRY_TRY(static_cast<FileStart&>(start), read_file_start(reader));
  AMBRY_TRY(start.kind, read_kind(reader));
  AMBRY_TRY(start.n_lists, reader.read<uint32_t>("lists"));
  AMBRY_TRY(start.code_size, reader.read<uint32_t>("code_size"));
  AMBRY_TRY(const uint32_t padding, reader.read<uint32_t>("padding"));
  if (padding != 0) {
    return reader.fail(ErrorCode::BadValue, kListPaddingOffset, "padding", "not zero");
  }
  AMBRY_RETURN_IF_ERROR(check_counts(reader, start));
  AMBRY_RETURN_IF_ERROR(check_sizes(start, file_size));
  return start;
}

Result<void> check_sum(Bytes bytes, uint32_t stored, FileRange range, const char* field) {
  if (bytes.size() == range.size && io::crc32(bytes) == stored) return {};
  return error_at(ErrorCode::Mismatch, range.offset, field,
                  "the checksum of a list is wrong: the file was damaged");
}

// The sizes that follow from the index and its ids.
Start start_of(const ListSet& lists, uint64_t header_size, const IvfIds& ids) {
  Start start;
  start.dim = lists.dim;
  start.n_rows = lists.n_rows();
  start.header_size = header_size;
  start.kind = lists.kind;
  start.n_lists = lists.n_lists();
  start.code_size = lists.code_size();
  start.data_offset = start.crc_offset() + kCrcSize;
  start.file_size =
      start.data_offset + start.n_rows * (start.code_size + record_size(start.kind, start.dim));
  for (const uint32_t size : ids.sizes) start.file_size += size;
  return start;
}

void store_start(const Start& start, uint8_t* to) {
  store_file_start(to, kListsVersion, start, start.kind);
  store_le(to + kListCountOffset, start.n_lists);
  store_le(to + kListCodeSizeOffset, start.code_size);
  store_le(to + kListPaddingOffset, uint32_t{0});
}

void store_table(const IvfIndex& index, const IvfIds& ids, uint8_t* row) {
  const ListSet& lists = index.lists();
  const size_t code_size = lists.code_size();
  for (uint32_t i = 0; i < lists.n_lists(); ++i, row += kTableRow) {
    const Bytes codes =
        index.codes().subspan(lists.begins[i] * code_size, lists.list_size(i) * code_size);
    store_le(row, lists.list_size(i));
    store_le(row + 4, lists.has_codes() ? lists.spreads[i] : 0.0F);
    store_le(row + 8, io::crc32(codes));
    store_le(row + 12, ids.sizes.empty() ? uint32_t{0} : ids.sizes[i]);
    store_le(row + 16, ids.crcs.empty() ? uint32_t{0} : ids.crcs[i]);
  }
}

}  // namespace

Result<uint64_t> list_head_size(Bytes start, uint64_t file_size) {
  AMBRY_TRY(const Start fields, read_start(start, file_size));
  return fields.data_offset;
}

Result<IvfFile> IvfFile::open(Bytes head, uint64_t file_size) {
  AMBRY_TRY(const Start start, read_start(head, file_size));
  if (head.size() < start.data_offset) {
    return error_at(ErrorCode::Truncated, head.size(), "head",
                    {start.data_offset, " bytes wanted, ", head.size(), " there"});
  }
  const auto crc_at = static_cast<size_t>(start.crc_offset());
  if (io::crc32(head.first(crc_at)) != load_le<uint32_t>(head.data() + crc_at)) {
    return error_at(ErrorCode::Mismatch, crc_at, "crc32", "the checksum of the head is wrong");
  }
  IvfFile file;
  file.file_size_ = file_size;
  file.lists_.kind = start.kind;
  file.lists_.dim = start.dim;
  const Bytes header = head.subspan(kListFileStart, static_cast<size_t>(start.header_size));
  file.header_.assign(header.begin(), header.end());
  file.data_offset_ = start.data_offset;
  if (start.code_size != 0) {
    const uint64_t n_bytes = start.table_offset() - start.centroids_offset();
    file.lists_.stored_centroids.resize(static_cast<size_t>(n_bytes));
    AMBRY_RETURN_IF_ERROR(file.read_centroids(head, start.centroids_offset()));
  }
  file.lists_.begins.assign(size_t{start.n_lists} + 1, 0);
  AMBRY_RETURN_IF_ERROR(file.read_table(head, start.table_offset(), start.n_rows));
  return file;
}

Result<void> IvfFile::read_centroids(Bytes head, uint64_t offset) {
  const uint32_t stride = row_size(RowKind::Int8, lists_.dim);
  auto& rows = lists_.stored_centroids;
  std::memcpy(rows.data(), head.data() + offset, rows.size());
  for (size_t at = 0; at < rows.size(); at += stride) {
    const auto scale = load_le<float>(rows.data() + at);
    if (scale >= 0 && scale <= kMostScale) continue;
    return error_at(ErrorCode::BadValue, offset + at, {"centroids[", at / stride, "]"},
                    "a scale that is not in 0 … 1");
  }
  lists_.widen_centroids();
  return {};
}

Result<void> IvfFile::read_table(Bytes head, uint64_t offset, uint64_t n_rows) {
  const uint32_t n_lists = lists_.n_lists();
  id_begins_.push_back(0);
  uint64_t total = 0;
  for (uint32_t i = 0; i < n_lists; ++i) {
    const uint64_t at = offset + i * kTableRow;
    const uint8_t* const row = head.data() + at;
    total += load_le<uint32_t>(row);
    lists_.begins[i + 1] = static_cast<uint32_t>(total);
    const auto spread = load_le<float>(row + 4);
    if (!(spread >= 0 && spread <= kMostSpread)) {
      return error_at(ErrorCode::BadValue, at + 4, {"lists[", i, "].spread"}, "not in 0 … 4");
    }
    lists_.spreads.push_back(spread);
    code_crcs_.push_back(load_le<uint32_t>(row + 8));
    id_begins_.push_back(id_begins_.back() + load_le<uint32_t>(row + 12));
    id_crcs_.push_back(load_le<uint32_t>(row + 16));
  }
  if (total != n_rows) {
    return error_at(ErrorCode::Mismatch, offset, "lists",
                    {"the lists have ", total, " rows, but the file has ", n_rows});
  }
  rows_offset_ = data_offset_ + n_rows * lists_.code_size();
  ids_offset_ = rows_offset_ + n_rows * record_size(lists_.kind, lists_.dim);
  if (ids_offset_ + id_begins_.back() == file_size_) return {};
  return error_at(
      ErrorCode::Mismatch, kFileSizeOffset, "file_size",
      {file_size_, ", but ", ids_offset_ + id_begins_.back(), " follows from the lists"});
}

FileRange IvfFile::codes_of(uint32_t list) const {
  const uint64_t size = lists_.code_size();
  return {data_offset_ + lists_.begins[list] * size, lists_.list_size(list) * size};
}

FileRange IvfFile::ids_of(uint32_t list) const {
  return {ids_offset_ + id_begins_[list], id_begins_[list + 1] - id_begins_[list]};
}

FileRange IvfFile::record_of(uint32_t row) const {
  const uint64_t size = record_size(lists_.kind, lists_.dim);
  return {rows_offset_ + row * size, size};
}

Result<void> IvfFile::check_codes(uint32_t list, Bytes codes) const {
  const FileRange range = codes_of(list);
  AMBRY_RETURN_IF_ERROR(check_sum(codes, code_crcs_[list], range, "codes"));
  const uint32_t size = lists_.code_size();
  for (size_t at = 0; at < codes.size(); at += size) {
    if (is_sign_code(codes.subspan(at, size))) continue;
    return error_at(ErrorCode::BadValue, range.offset + at, "codes",
                    "not finite, or a negative factor");
  }
  return {};
}

Result<void> IvfFile::check_ids(uint32_t list, Bytes ids) const {
  return check_sum(ids, id_crcs_[list], ids_of(list), "ids");
}

Result<void> IvfFile::check_row(uint32_t row, Bytes record) const {
  const FileRange range = record_of(row);
  if (record.size() != range.size) {
    return error_at(ErrorCode::Truncated, range.offset, "rows",
                    {range.size, " bytes wanted, ", record.size(), " there"});
  }
  return check_record(lists_.kind, record, lists_.n_rows(), range.offset);
}

Result<AlignedBuffer> write_list_head(const IvfIndex& index, Bytes header, const IvfIds& ids) {
  const ListSet& lists = index.lists();
  const size_t n_sizes = ids.sizes.size();
  if ((n_sizes != 0 && n_sizes != lists.n_lists()) || ids.crcs.size() != n_sizes) {
    return make_error(ErrorCode::Mismatch, "ids",
                      {"there are ids for ", n_sizes, " lists, not for ", lists.n_lists()});
  }
  const Start start = start_of(lists, header.size(), ids);
  AMBRY_TRY(AlignedBuffer head, AlignedBuffer::allocate(start.data_offset));
  store_start(start, head.data());
  std::ranges::copy(header, head.data() + kListFileStart);
  std::ranges::copy(lists.stored_centroids, head.data() + start.centroids_offset());
  store_table(index, ids, head.data() + start.table_offset());
  const auto crc_at = static_cast<size_t>(start.crc_offset());
  store_le(head.data() + crc_at, io::crc32(head.bytes().first(crc_at)));
  return head;
}

}  // namespace ambry::search
