#include "search/ivf/ivf_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "io/crc32.h"
#include "search/ivf/ivf_build.h"
#include "search/ivf/ivf_query.h"
#include "search/ivf/make_vectors.h"

namespace ambry::search {
namespace {

using ListBytes = std::vector<uint8_t>;
constexpr uint32_t kFileDim = 5;
constexpr std::string_view kFileHeader = "what the caller wrote";

void append_bytes(ListBytes& file, Bytes piece) {
  file.insert(file.end(), piece.begin(), piece.end());
}

ListBytes file_of(RowKind kind, uint32_t n_lists) {
  VectorMaker maker(kFileDim, 4);
  IvfIndex index = IvfIndex::create(kFileDim, kind).value();
  EXPECT_TRUE(index.append(maker.rows(24, 0.3F)));
  auto build = IvfBuild::begin(index, {.n_lists = n_lists}).value();
  while (build.step().value()) continue;
  IvfIds ids;
  std::string texts;
  for (uint32_t i = 0; i < index.lists().n_lists(); ++i) {
    const std::string own = "ids of list " + std::to_string(i);
    ids.sizes.push_back(static_cast<uint32_t>(own.size()));
    ids.crcs.push_back(io::crc32(as_bytes(own)));
    texts += own;
  }
  const AlignedBuffer head = write_list_head(index, as_bytes(kFileHeader), ids).value();
  ListBytes file;
  append_bytes(file, head.bytes());
  append_bytes(file, index.codes());
  for (const Bytes piece : index.rows().pieces()) append_bytes(file, piece);
  append_bytes(file, as_bytes(texts));
  return file;
}

Bytes part_of(const ListBytes& file, FileRange range) {
  if (range.offset > file.size()) return {};
  const auto rest = Bytes(file).subspan(static_cast<size_t>(range.offset));
  return rest.first(std::min<size_t>(rest.size(), static_cast<size_t>(range.size)));
}

// Everything that a reader checks.
Result<IvfFile> read_all(const ListBytes& file) {
  const Bytes bytes(file);
  AMBRY_TRY(const uint64_t head, list_head_size(bytes, file.size()));
  AMBRY_TRY(IvfFile opened,
            IvfFile::open(bytes.first(std::min<size_t>(file.size(), static_cast<size_t>(head))),
                          file.size()));
  for (uint32_t list = 0; list < opened.lists().n_lists(); ++list) {
    AMBRY_RETURN_IF_ERROR(opened.check_codes(list, part_of(file, opened.codes_of(list))));
    AMBRY_RETURN_IF_ERROR(opened.check_ids(list, part_of(file, opened.ids_of(list))));
  }
  for (uint32_t row = 0; row < opened.lists().n_rows(); ++row) {
    AMBRY_RETURN_IF_ERROR(opened.check_row(row, part_of(file, opened.record_of(row))));
  }
  return opened;
}

Error error_of(const ListBytes& file) {
  const auto opened = read_all(file);
  EXPECT_FALSE(opened);
  return opened ? Error{} : opened.error();
}

// With the right checksum of the head, behind which are most of the checks.
ListBytes sealed(ListBytes file) {
  const auto data = load_le<uint64_t>(file.data() + 32);
  if (data > file.size() || data < 68) return file;
  const auto at = static_cast<size_t>(data) - 4;
  store_le(file.data() + at, io::crc32(Bytes(file).first(at)));
  return file;
}

class ListFileTest : public ::testing::TestWithParam<ListBytes> {};
INSTANTIATE_TEST_SUITE_P(Forms, ListFileTest,
                         ::testing::Values(file_of(RowKind::F32, 4), file_of(RowKind::Int8, 4),
                                           file_of(RowKind::Int8, 0), file_of(RowKind::F32, 0)));

TEST_P(ListFileTest, OpensAndSearches) {
  const auto file = read_all(GetParam());
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(as_text(file->header()), kFileHeader);
  EXPECT_EQ(file->lists().n_rows(), 24U);
  EXPECT_EQ(as_text(part_of(GetParam(), file->ids_of(0))), "ids of list 0");
  const Rotation rotation(kFileDim);
  VectorMaker maker(kFileDim, 4);
  const auto rows = maker.rows(24, 0.3F);
  const auto query = std::span(rows).subspan(7 * kFileDim, kFileDim);
  IvfQuery run(file->lists(), rotation, unit_query(query, kFileDim).value(), 3, 24);
  for (const uint32_t list : run.order())
    run.scan(list, part_of(GetParam(), file->codes_of(list)), {});
  for (const uint32_t row : run.candidates()) {
    run.score(row, part_of(GetParam(), file->record_of(row)).data());
  }
  EXPECT_EQ(run.hits()[0].position, 7U);
}

TEST_P(ListFileTest, EveryPrefixIsAnError) {
  const ListBytes& file = GetParam();
  for (size_t n = 0; n < file.size(); ++n) {
    const Error error = error_of({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n)});
    EXPECT_EQ(error.code, ErrorCode::Truncated) << n;
    EXPECT_LE(error.byte_offset, file.size());
    EXPECT_FALSE(error.path.empty());
  }
}

TEST_P(ListFileTest, EveryFlippedBitIsAnErrorWithAnOffset) {
  for (size_t at = 0; at < GetParam().size(); ++at) {
    for (const unsigned mask : {0x01U, 0x80U, 0xFFU}) {
      ListBytes file = GetParam();
      file[at] = static_cast<uint8_t>(file[at] ^ mask);
      const Error error = error_of(file);
      EXPECT_LT(error.byte_offset, file.size()) << at;
      EXPECT_FALSE(error.path.empty()) << at;
    }
  }
}

// What a wrong checksum would hide. The flips that are left make another valid file.
TEST_P(ListFileTest, FlippedBitsUnderARightChecksumNeverLeadOutOfTheFile) {
  const auto head = static_cast<size_t>(load_le<uint64_t>(GetParam().data() + 32));
  for (size_t at = 0; at + 4 < head; ++at) {
    for (const unsigned mask : {0x01U, 0x40U, 0x80U, 0xFFU}) {
      ListBytes file = GetParam();
      file[at] = static_cast<uint8_t>(file[at] ^ mask);
      const auto opened = read_all(sealed(file));
      if (!opened) {
        EXPECT_LT(opened.error().byte_offset, file.size()) << at;
        continue;
      }
      const FileRange last = opened->ids_of(opened->lists().n_lists() - 1);
      EXPECT_EQ(last.offset + last.size, file.size());
    }
  }
}

TEST_P(ListFileTest, TrailingBytesAreAnError) {
  ListBytes file = GetParam();
  file.push_back(0);
  const Error error = error_of(file);
  EXPECT_EQ(error.code, ErrorCode::BadValue);
  EXPECT_EQ(error.byte_offset, file.size() - 1);
}

Error error_with(size_t at, auto value) {
  ListBytes file = file_of(RowKind::Int8, 4);
  store_le(file.data() + at, value);
  return error_of(sealed(file));
}

TEST(IvfFile, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(error_with(0, uint8_t{'X'}).code, ErrorCode::BadMagic);
  EXPECT_EQ(error_with(8, uint32_t{2}).code, ErrorCode::UnsupportedVersion);
  EXPECT_EQ(error_with(8, uint32_t{5}).byte_offset, 8U);
  EXPECT_EQ(error_with(12, uint32_t{0}).path, "dim");
  EXPECT_EQ(error_with(12, uint32_t{70000}).path, "dim");
  EXPECT_EQ(error_with(16, UINT64_MAX).code, ErrorCode::LimitExceeded);
  EXPECT_EQ(error_with(16, uint64_t{UINT32_MAX}).path, "rows");
  EXPECT_EQ(error_with(24, UINT64_MAX).path, "header_size");
  EXPECT_EQ(error_with(32, uint64_t{0}).path, "data_offset");
  EXPECT_EQ(error_with(40, UINT64_MAX).code, ErrorCode::Truncated);
  EXPECT_EQ(error_with(48, uint32_t{2}).path, "kind");
  EXPECT_EQ(error_with(52, uint32_t{0}).path, "lists");
  EXPECT_EQ(error_with(52, UINT32_MAX).path, "lists");
  EXPECT_EQ(error_with(56, uint32_t{7}).path, "code_size");
  EXPECT_EQ(error_with(60, uint32_t{1}).path, "padding");
}

TEST(IvfFile, ChecksTheTableOfLists) {
  const uint64_t centroids = kListFileStart + kFileHeader.size();
  const uint64_t table = centroids + 4 * row_size(RowKind::Int8, kFileDim);
  for (const float scale : {-1.0F, 1.5F, 1e38F}) {
    EXPECT_EQ(error_with(centroids, scale).path, "centroids[0]");
  }
  EXPECT_EQ(error_with(table, UINT32_MAX).code, ErrorCode::Mismatch);
  EXPECT_EQ(error_with(table, uint32_t{0}).path, "lists");
  EXPECT_EQ(error_with(table + 24, -1.0F).path, "lists[1].spread");
  EXPECT_EQ(error_with(table + 24, 5.0F).path, "lists[1].spread");
  EXPECT_EQ(error_with(table + 12, UINT32_MAX).path, "file_size");
  EXPECT_EQ(error_with(table + 8, uint32_t{1}).path, "codes");
  EXPECT_EQ(error_with(table + 16, uint32_t{1}).path, "ids");
}

TEST(IvfFile, ChecksTheValuesOfRowsUnderARightChecksum) {
  for (const RowKind kind : {RowKind::F32, RowKind::Int8}) {
    const ListBytes file = file_of(kind, 4);
    const auto opened = read_all(file);
    ASSERT_TRUE(opened);
    const Bytes record = part_of(file, opened->record_of(3));
    for (const float wrong : {1e38F, -1e38F}) {
      ListBytes changed(record.begin(), record.end());
      store_le(changed.data() + 4, wrong);
      store_le(changed.data() + changed.size() - 4,
               io::crc32(Bytes(changed).first(changed.size() - 4)));
      const auto checked = opened->check_row(3, changed);
      ASSERT_FALSE(checked);
      EXPECT_EQ(checked.error().byte_offset, opened->record_of(3).offset + 4);
    }
  }
}

TEST(IvfFile, RefusesIdsForOtherLists) {
  const IvfIndex index = IvfIndex::create(kFileDim, RowKind::Int8).value();
  EXPECT_EQ(write_list_head(index, {}, {.sizes = {1, 2}, .crcs = {1, 2}}).error().path, "ids");
  EXPECT_EQ(write_list_head(index, {}, {.sizes = {1}, .crcs = {}}).error().path, "ids");
  EXPECT_TRUE(write_list_head(index, {}, {}));
}

}  // namespace
}  // namespace ambry::search
