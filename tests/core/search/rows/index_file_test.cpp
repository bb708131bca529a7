#include "search/rows/index_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "io/crc32.h"
#include "search/rows/row_index.h"

namespace ambry::search {
namespace {

using File = std::vector<uint8_t>;

constexpr std::string_view kHeader = "what the passages are";

// Rows of three dimensions.
RowIndex index_of(RowKind kind, const std::vector<float>& rows) {
  RowIndex index = RowIndex::create(3, kind).value();
  EXPECT_TRUE(index.append(rows));
  return index;
}

File saved(const RowIndex& index, std::string_view header) {
  const IndexPieces pieces = index.save(as_bytes(header)).value();
  File file;
  for (const Bytes piece : {pieces.head(), pieces.rows, pieces.tail()}) {
    file.insert(file.end(), piece.begin(), piece.end());
  }
  return file;
}

File file_of(RowKind kind) {
  return saved(index_of(kind, {1, 0, 0, 0, 1, 0, 0.6F, 0.8F, 0}), kHeader);
}

File with_checksum(File file) {
  store_le(file.data() + file.size() - 4, io::crc32(Bytes(file).first(file.size() - 4)));
  return file;
}

// A file of version 1: no kind, the header at 48.
File first_version() {
  File file = file_of(RowKind::F32);
  File old(128 + 36 + 4);
  std::copy_n(file.begin(), 48, old.begin());
  store_le<uint32_t>(old.data() + 8, 1);
  store_le<uint64_t>(old.data() + 32, 128);
  store_le<uint64_t>(old.data() + 40, old.size());
  std::ranges::copy(kHeader, old.begin() + 48);
  std::copy_n(file.end() - 40, 36, old.begin() + 128);
  return with_checksum(old);
}

Result<RowIndex> load(const File& file) {
  AlignedBuffer memory = AlignedBuffer::allocate(file.size()).value();
  std::ranges::copy(file, memory.data());
  return RowIndex::load(std::move(memory));
}

Error load_error(const File& file) {
  const auto index = load(file);
  EXPECT_FALSE(index);
  return index ? Error{} : index.error();
}

class IndexFileTest : public ::testing::TestWithParam<File> {};
INSTANTIATE_TEST_SUITE_P(Forms, IndexFileTest,
                         ::testing::Values(file_of(RowKind::F32), file_of(RowKind::Int8),
                                           first_version()));

TEST_P(IndexFileTest, Loads) {
  const auto loaded = load(GetParam());
  ASSERT_TRUE(loaded) << describe(loaded.error());
  EXPECT_EQ(loaded->dim(), 3U);
  EXPECT_EQ(loaded->size(), 3U);
  EXPECT_EQ(as_text(loaded->origin().header), kHeader);
  EXPECT_EQ(as_text(Bytes(GetParam()).subspan(loaded->origin().header_offset, kHeader.size())),
            kHeader);
  const auto hits = loaded->search(std::vector<float>{0, 1, 0}, {}, 2);
  ASSERT_TRUE(hits);
  EXPECT_EQ((*hits)[0].row, 1U);
  EXPECT_EQ((*hits)[1].row, 2U);
}

TEST_P(IndexFileTest, EveryPrefixIsAnError) {
  const File& file = GetParam();
  for (size_t n = 0; n < file.size(); ++n) {
    const Error error = load_error({file.begin(), file.begin() + static_cast<ptrdiff_t>(n)});
    EXPECT_EQ(error.code, ErrorCode::Truncated) << n;
    EXPECT_LE(error.byte_offset, n);
    EXPECT_FALSE(error.path.empty());
  }
}

TEST_P(IndexFileTest, EveryFlippedBitIsAnErrorWithAnOffset) {
  for (size_t at = 0; at < GetParam().size(); ++at) {
    for (const unsigned mask : {0x01U, 0x80U, 0xFFU}) {
      File file = GetParam();
      file[at] = static_cast<uint8_t>(file[at] ^ mask);
      const Error error = load_error(file);
      EXPECT_LT(error.byte_offset, file.size()) << at;
      EXPECT_FALSE(error.path.empty()) << at;
    }
  }
}

TEST_P(IndexFileTest, TrailingBytesAreAnError) {
  File file = GetParam();
  file.push_back(0);
  const Error error = load_error(file);
  EXPECT_EQ(error.code, ErrorCode::BadValue);
  EXPECT_EQ(error.byte_offset, file.size() - 1);
}

TEST_P(IndexFileTest, ChecksTheChecksum) {
  File file = GetParam();
  file[file.size() - 5] ^= 1;
  const Error error = load_error(file);
  EXPECT_EQ(error.code, ErrorCode::Mismatch);
  EXPECT_EQ(error.byte_offset, file.size() - 4);
  EXPECT_EQ(error.path, "crc32");
}

TEST(IndexFile, LoadsWhatItSaved) {
  for (const RowKind kind : {RowKind::F32, RowKind::Int8}) {
    const File file = file_of(kind);
    const auto loaded = load(file);
    ASSERT_TRUE(loaded) << describe(loaded.error());
    EXPECT_EQ(loaded->kind(), kind);
    EXPECT_EQ(loaded->origin().version, 2U);
    EXPECT_EQ(saved(*loaded, as_text(loaded->origin().header)), file);
  }
}

TEST(IndexFile, Int8TakesOneBytePerValueAndFourPerRow) {
  const File file = saved(index_of(RowKind::Int8, std::vector<float>(300, 0.5F)), "");
  EXPECT_EQ(file.size(), 64U + 100 * (4 + 3) + 4);
}

TEST(IndexFile, HoldsAnEmptyIndex) {
  const File file = saved(RowIndex::create(7, RowKind::Int8).value(), "");
  EXPECT_EQ(file.size(), 64U + 4U);
  const auto loaded = load(file);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->size(), 0U);
  EXPECT_TRUE(loaded->search(std::vector<float>(7, 0.0F), {}, 5).value().empty());
}

// The file with one field changed and a correct checksum.
template <class T>
File changed(File file, size_t offset, T value) {
  store_le(file.data() + offset, value);
  return with_checksum(file);
}

TEST(IndexFile, ChecksEveryField) {
  struct Fault {
    File file;
    ErrorCode code;
    uint64_t byte_offset;
    const char* path;
  };
  const File bytes = file_of(RowKind::Int8);
  const File floats = file_of(RowKind::F32);
  const size_t data = 128;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Fault> faults = {
      {changed<uint8_t>(bytes, 0, 'a'), ErrorCode::BadMagic, 0, "magic"},
      {changed<uint32_t>(bytes, 8, 3), ErrorCode::UnsupportedVersion, 8, "version"},
      {changed<uint32_t>(bytes, 8, 0), ErrorCode::UnsupportedVersion, 8, "version"},
      {changed<uint32_t>(bytes, 12, 0), ErrorCode::BadValue, 12, "dim"},
      {changed<uint32_t>(bytes, 12, UINT32_MAX), ErrorCode::BadValue, 12, "dim"},
      {changed<uint64_t>(bytes, 16, UINT64_MAX), ErrorCode::LimitExceeded, 16, "rows"},
      {changed<uint64_t>(bytes, 16, 4), ErrorCode::Mismatch, 40, "file_size"},
      {changed<uint64_t>(bytes, 24, UINT64_MAX), ErrorCode::LimitExceeded, 16, "rows"},
      {changed<uint64_t>(bytes, 24, 1000), ErrorCode::Mismatch, 32, "data_offset"},
      {changed<uint64_t>(bytes, 32, 0), ErrorCode::Mismatch, 32, "data_offset"},
      {changed<uint64_t>(bytes, 40, 1), ErrorCode::Mismatch, 40, "file_size"},
      {changed<uint32_t>(bytes, 48, 2), ErrorCode::BadValue, 48, "kind"},
      {changed<uint32_t>(bytes, 48, 0), ErrorCode::Mismatch, 40, "file_size"},
      {changed<uint8_t>(bytes, 52, 1), ErrorCode::BadValue, 52, "padding"},
      {changed<uint8_t>(bytes, 63, 1), ErrorCode::BadValue, 63, "padding"},
      {changed<uint8_t>(bytes, data - 1, 1), ErrorCode::BadValue, data - 1, "padding"},
      {changed<float>(bytes, data + 7, nan), ErrorCode::BadValue, data + 7, "data"},
      {changed<float>(bytes, data + 14, -1), ErrorCode::BadValue, data + 14, "data"},
      {changed<float>(floats, data + 8, nan), ErrorCode::BadValue, data + 8, "data"},
      {changed<uint8_t>(first_version(), 127, 1), ErrorCode::BadValue, 127, "padding"},
      {changed<float>(first_version(), 136, nan), ErrorCode::BadValue, 136, "data"},
  };
  for (const Fault& fault : faults) {
    const Error error = load_error(fault.file);
    EXPECT_EQ(error.code, fault.code) << describe(error);
    EXPECT_EQ(error.byte_offset, fault.byte_offset) << describe(error);
    EXPECT_EQ(error.path, fault.path) << describe(error);
  }
}

}  // namespace
}  // namespace ambry::search
