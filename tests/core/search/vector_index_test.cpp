#include "search/vector_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "io/crc32.h"

namespace ambry::search {
namespace {

constexpr std::string_view kHeader = R"({"texts":["caf\u00e9","π"]})";

VectorIndex small_index() {
  VectorIndex index = VectorIndex::create(3).value();
  const std::vector<float> rows = {1, 0, 0, 0, 1, 0, 0.6F, 0.8F, 0};
  EXPECT_TRUE(index.append(rows));
  return index;
}

std::vector<uint8_t> small_file() {
  const AlignedBuffer file = small_index().save(kHeader).value();
  return {file.data(), file.data() + file.size()};
}

Error load_error(const std::vector<uint8_t>& file) {
  const auto index = VectorIndex::load(file);
  EXPECT_FALSE(index);
  return index ? Error{} : index.error();
}

// The file with one field changed and the checksum made right again.
template <class T>
std::vector<uint8_t> changed(size_t offset, T value) {
  std::vector<uint8_t> file = small_file();
  store_le(file.data() + offset, value);
  store_le(file.data() + file.size() - 4, io::crc32(Bytes(file).first(file.size() - 4)));
  return file;
}

TEST(VectorIndexTest, FindsRows) {
  const VectorIndex index = small_index();
  EXPECT_EQ(index.size(), 3U);
  const std::vector<float> query = {0, 1, 0};
  const auto hits = index.search(query, 2);
  ASSERT_TRUE(hits);
  EXPECT_EQ(*hits, (std::vector<Hit>{{1, 1.0F}, {2, 0.8F}}));
}

TEST(VectorIndexTest, RefusesRowsThatNoHeapHolds) {
  VectorIndex index = VectorIndex::create(VectorIndex::kMaxDim).value();
  const float only = 1;
  // Room is made before the numbers are looked at, so that these need not exist.
  const size_t n_rows = std::min<uint64_t>(SIZE_MAX / sizeof(float) / index.dim(), UINT32_MAX);
  const auto appended = index.append({&only, n_rows * index.dim()});
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(appended.error().path, "memory");
  EXPECT_EQ(index.size(), 0U);
  EXPECT_TRUE(index.append(std::vector<float>(VectorIndex::kMaxDim)));
}

TEST(VectorIndexTest, KeepsItsRowsAsItGrows) {
  VectorIndex index = VectorIndex::create(2).value();
  for (int i = 0; i < 1000; ++i) {
    const float number = static_cast<float>(i);
    ASSERT_TRUE(index.append(std::vector<float>{number, -number}));
  }
  ASSERT_EQ(index.size(), 1000U);
  const auto hits = index.search(std::vector<float>{1, 0}, 1000);
  ASSERT_TRUE(hits);
  for (uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ((*hits)[i], (Hit{999 - i, static_cast<float>(999 - i)}));
  }
}

TEST(VectorIndexTest, LoadsWhatItSaved) {
  const std::vector<uint8_t> file = small_file();
  const auto loaded = VectorIndex::load(file);
  ASSERT_TRUE(loaded) << describe(loaded.error());
  EXPECT_EQ(loaded->dim(), 3U);
  EXPECT_EQ(loaded->size(), 3U);
  EXPECT_EQ(loaded->header(), kHeader);
  const AlignedBuffer again = loaded->save(loaded->header()).value();
  EXPECT_EQ(file, std::vector<uint8_t>(again.data(), again.data() + again.size()));
}

TEST(VectorIndexTest, LoadsAnEmptyIndex) {
  const AlignedBuffer file = VectorIndex::create(7).value().save("").value();
  EXPECT_EQ(file.size(), 64U + 4U);
  const auto loaded = VectorIndex::load(file.bytes());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->size(), 0U);
  EXPECT_TRUE(loaded->search(std::vector<float>(7, 0.0F), 5).value().empty());
}

TEST(VectorIndexTest, RefusesBadArguments) {
  EXPECT_EQ(VectorIndex::create(0).error().code, ErrorCode::BadValue);
  EXPECT_EQ(VectorIndex::create(VectorIndex::kMaxDim + 1).error().path, "dim");
  VectorIndex index = small_index();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(index.append(std::vector<float>(4, 0.0F)).error().path, "rows");
  EXPECT_EQ(index.append(std::vector<float>{0, 0, 0, 0, nan, 0}).error().path, "rows[1]");
  EXPECT_EQ(index.size(), 3U);
  EXPECT_EQ(index.search(std::vector<float>(2, 0.0F), 1).error().code, ErrorCode::Mismatch);
  EXPECT_EQ(index.search(std::vector<float>{0, nan, 0}, 1).error().code, ErrorCode::BadValue);
  EXPECT_EQ(index.save("\xFF").error().path, "header");
}

TEST(VectorIndexTest, EveryPrefixIsAnError) {
  const std::vector<uint8_t> file = small_file();
  for (size_t n = 0; n < file.size(); ++n) {
    // A copy of exactly that size, so that a sanitizer sees any read past it.
    const Error error = load_error({file.begin(), file.begin() + static_cast<ptrdiff_t>(n)});
    EXPECT_EQ(error.code, ErrorCode::Truncated) << n;
    EXPECT_LE(error.byte_offset, n);
    EXPECT_FALSE(error.path.empty());
  }
}

TEST(VectorIndexTest, EveryFlippedBitIsAnErrorWithAPlace) {
  const std::vector<uint8_t> good = small_file();
  for (size_t at = 0; at < good.size(); ++at) {
    for (const unsigned mask : {0x01U, 0x80U, 0xFFU}) {
      std::vector<uint8_t> file = good;
      file[at] = static_cast<uint8_t>(file[at] ^ mask);
      const Error error = load_error(file);
      EXPECT_LT(error.byte_offset, file.size()) << at;
      EXPECT_FALSE(error.path.empty()) << at;
    }
  }
}

TEST(VectorIndexTest, TrailingBytesAreAnError) {
  std::vector<uint8_t> file = small_file();
  file.push_back(0);
  const Error error = load_error(file);
  EXPECT_EQ(error.code, ErrorCode::BadValue);
  EXPECT_EQ(error.byte_offset, file.size() - 1);
}

TEST(VectorIndexTest, DistrustsEveryField) {
  struct Fault {
    std::vector<uint8_t> file;
    ErrorCode code;
    uint64_t byte_offset;
    const char* path;
  };
  const size_t data = 128;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Fault> faults = {
      {changed<uint8_t>(0, 'a'), ErrorCode::BadMagic, 0, "magic"},
      {changed<uint32_t>(8, 2), ErrorCode::UnsupportedVersion, 8, "version"},
      {changed<uint32_t>(12, 0), ErrorCode::BadValue, 12, "dim"},
      {changed<uint32_t>(12, UINT32_MAX), ErrorCode::BadValue, 12, "dim"},
      {changed<uint64_t>(16, UINT64_MAX), ErrorCode::LimitExceeded, 16, "rows"},
      {changed<uint64_t>(16, 4), ErrorCode::Mismatch, 40, "file_size"},
      {changed<uint64_t>(24, UINT64_MAX), ErrorCode::LimitExceeded, 16, "rows"},
      {changed<uint64_t>(24, 1), ErrorCode::Mismatch, 32, "data_offset"},
      {changed<uint64_t>(32, 0), ErrorCode::Mismatch, 32, "data_offset"},
      {changed<uint64_t>(40, 1), ErrorCode::Mismatch, 40, "file_size"},
      {changed<uint8_t>(48, 0xFF), ErrorCode::BadValue, 48, "header"},
      {changed<uint8_t>(data - 1, 1), ErrorCode::BadValue, data - 1, "padding"},
      {changed<float>(data + 8, nan), ErrorCode::BadValue, data + 8, "data"},
  };
  for (const Fault& fault : faults) {
    const Error error = load_error(fault.file);
    EXPECT_EQ(error.code, fault.code) << describe(error);
    EXPECT_EQ(error.byte_offset, fault.byte_offset) << describe(error);
    EXPECT_EQ(error.path, fault.path) << describe(error);
  }
}

TEST(VectorIndexTest, ChecksTheChecksum) {
  std::vector<uint8_t> file = small_file();
  file[130] ^= 1;
  const Error error = load_error(file);
  EXPECT_EQ(error.code, ErrorCode::Mismatch);
  EXPECT_EQ(error.byte_offset, file.size() - 4);
  EXPECT_EQ(error.path, "crc32");
}

}  // namespace
}  // namespace ambry::search
