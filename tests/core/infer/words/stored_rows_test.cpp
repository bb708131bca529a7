#include "infer/words/stored_rows.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace ambry::infer {
namespace {

// A file with rows of four bytes from byte 100 on; row i is i, i, i, i.
constexpr uint64_t kAt = 100;
constexpr uint64_t kRowBytes = 4;

std::vector<uint8_t> bytes_of_file(const FileRange& range) {
  std::vector<uint8_t> bytes;
  for (uint64_t at = range.offset; at < range.offset + range.size; ++at) {
    bytes.push_back(static_cast<uint8_t>((at - kAt) / kRowBytes));
  }
  return bytes;
}

void fetch(StoredRows& rows, const std::vector<uint64_t>& wanted) {
  for (const FileRange& range : rows.missing(wanted)) {
    rows.supply(range.offset, bytes_of_file(range));
  }
}

bool holds(const StoredRows& rows, uint64_t row) {
  const auto found = rows.find(row);
  return found && **found == static_cast<uint8_t>(row);
}

TEST(StoredRows, NeedBytesForAMissingRow) {
  const StoredRows rows(kAt, 1000, kRowBytes);
  const auto found = rows.find(7);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::NeedBytes);
  EXPECT_EQ(found.error().byte_offset, kAt + 28);
  EXPECT_EQ(found.error().need_size, kRowBytes);
}

TEST(StoredRows, MergesNearbyRanges) {
  StoredRows rows(kAt, 1 << 20, kRowBytes);
  constexpr uint64_t kGapRows = StoredRows::kMaxGap / kRowBytes;
  // The second row is as far from the first as allowed; the third is one row too far.
  const std::vector<uint64_t> wanted = {2 * kGapRows + 3, 0, kGapRows + 1, 0};
  EXPECT_EQ(rows.missing(wanted),
            (std::vector<FileRange>{{kAt, StoredRows::kMaxGap + 2 * kRowBytes},
                                    {kAt + (2 * kGapRows + 3) * kRowBytes, kRowBytes}}));
}

TEST(StoredRows, KeepsWholeRowsOnly) {
  StoredRows rows(kAt, 10, kRowBytes);
  rows.supply(kAt + 6, bytes_of_file({kAt + 6, 9}));  // the end of row 1, row 2, most of row 3
  EXPECT_FALSE(holds(rows, 1));
  EXPECT_TRUE(holds(rows, 2));
  EXPECT_FALSE(holds(rows, 3));
  EXPECT_EQ(rows.resident_bytes(), kRowBytes);
}

TEST(StoredRows, AsksOnlyForMissingRows) {
  StoredRows rows(kAt, 5000, kRowBytes);
  fetch(rows, {1, 4000});
  EXPECT_EQ(rows.missing({1, 4000}), std::vector<FileRange>());
  EXPECT_EQ(rows.missing({1, 2, 4000}), (std::vector<FileRange>{{kAt + 8, kRowBytes}}));
}

TEST(StoredRows, DropsRowsThatWereNotUsedRecently) {
  StoredRows rows(kAt, 1 << 20, kRowBytes, 4 * kRowBytes);
  const uint64_t far = 10'000;
  fetch(rows, {0, far, 2 * far});  // more than half of the cache
  fetch(rows, {3 * far, 0});       // row 0 moves to the recent generation
  EXPECT_TRUE(holds(rows, far));   // still there
  fetch(rows, {4 * far});
  fetch(rows, {0});
  EXPECT_TRUE(holds(rows, 0));
  EXPECT_FALSE(holds(rows, far));
  EXPECT_LE(rows.resident_bytes(), 6 * kRowBytes);
}

TEST(StoredRows, KeepsTheRowsOfOneRequestEvenPastTheCacheSize) {
  StoredRows rows(kAt, 200, kRowBytes, kRowBytes);
  std::vector<uint64_t> all(200);
  std::iota(all.begin(), all.end(), uint64_t{0});
  fetch(rows, all);
  for (const uint64_t row : all) EXPECT_TRUE(holds(rows, row));
}

TEST(StoredRows, RequestsNothingWhenComplete) {
  StoredRows rows(kAt, 3, kRowBytes);
  EXPECT_FALSE(rows.complete());
  AlignedBuffer all = AlignedBuffer::allocate(12).value();
  for (size_t i = 0; i < 12; ++i) all.data()[i] = static_cast<uint8_t>(i / 4);
  rows.set_all(std::move(all));
  EXPECT_TRUE(rows.complete());
  EXPECT_TRUE(rows.missing({0, 1, 2}).empty());
  EXPECT_TRUE(holds(rows, 2));
}

}  // namespace
}  // namespace ambry::infer
