#include "io/source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace ambry::io {
namespace {

std::vector<uint8_t> numbered(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i * 7 + i / 256);
  return bytes;
}

TEST(MemorySource, ReturnsRangesAndReportsTheEndOfTheFile) {
  const std::vector<uint8_t> file = numbered(10);
  const MemorySource source(file);
  const auto tail = source.view(8, 2, "tail");
  ASSERT_TRUE(tail);
  EXPECT_EQ((*tail)[1], file[9]);
  EXPECT_TRUE(source.view(10, 0, "nothing"));
  const std::vector<std::pair<uint64_t, uint64_t>> kPast = {
      {8, 3}, {11, 0}, {UINT64_MAX, 2}, {2, UINT64_MAX}};
  for (const auto& [offset, size] : kPast) {
    const auto past = source.view(offset, size, "field");
    ASSERT_FALSE(past);
    EXPECT_EQ(past.error().code, ErrorCode::Truncated);
    EXPECT_LE(past.error().byte_offset, file.size());
    EXPECT_EQ(past.error().path, "field");
  }
}

TEST(PartialSource, AsksForMissingBytes) {
  PartialSource source(100);
  const auto missing = source.view(40, 8, "field");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NeedBytes);
  EXPECT_EQ(missing.error().byte_offset, 40U);
  EXPECT_EQ(missing.error().need_size, 8U);
  const std::vector<uint8_t> file = numbered(100);
  ASSERT_TRUE(source.insert(40, Bytes(file).subspan(40, 8)));
  EXPECT_TRUE(source.view(40, 8, "field"));
  EXPECT_FALSE(source.view(39, 2, "field"));
  EXPECT_EQ(source.view(90, 11, "field").error().code, ErrorCode::Truncated);
}

TEST(PartialSource, AsksOnlyForTheMissingPart) {
  PartialSource source(100);
  const std::vector<uint8_t> file = numbered(100);
  ASSERT_TRUE(source.insert(0, Bytes(file).first(30)));
  const auto missing = source.view(10, 50, "field");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().byte_offset, 30U);
  EXPECT_EQ(missing.error().need_size, 30U);
}

TEST(PartialSource, AcceptsItsSizeLater) {
  PartialSource source(Source::kUnknownSize, true);
  EXPECT_FALSE(source.size_known());
  EXPECT_TRUE(source.sequential_only());
  const std::vector<uint8_t> file = numbered(100);
  ASSERT_TRUE(source.insert(0, file));
  EXPECT_EQ(source.view(90, 20, "field").error().code, ErrorCode::NeedBytes);
  source.set_size(100);
  EXPECT_TRUE(source.size_known());
  EXPECT_EQ(source.view(90, 20, "field").error().code, ErrorCode::Truncated);
  EXPECT_FALSE(PartialSource(7).sequential_only());
}

TEST(PartialSource, RejectsBytesPastTheEnd) {
  PartialSource source(10);
  const std::vector<uint8_t> bytes(4);
  EXPECT_TRUE(source.insert(6, bytes));
  EXPECT_EQ(source.insert(7, bytes).error().code, ErrorCode::Truncated);
  EXPECT_EQ(source.insert(UINT64_MAX, bytes).error().code, ErrorCode::Truncated);
}

// The parts come in random order, and they overlap or touch.
TEST(PartialSource, MergesPartsInAnyOrder) {
  std::mt19937 random(3);
  const std::vector<uint8_t> file = numbered(300);
  for (int round = 0; round < 300; ++round) {
    PartialSource source(file.size());
    std::vector<bool> held(file.size());
    for (int piece = 0; piece < 25; ++piece) {
      const size_t offset = random() % file.size();
      const size_t size = std::min<size_t>(random() % 40, file.size() - offset);
      ASSERT_TRUE(source.insert(offset, Bytes(file).subspan(offset, size)));
      std::fill_n(held.begin() + static_cast<std::ptrdiff_t>(offset), size, true);
    }
    EXPECT_EQ(source.loaded_bytes(), static_cast<uint64_t>(std::ranges::count(held, true)));
    for (int probe = 0; probe < 100; ++probe) {
      const size_t offset = random() % file.size();
      const size_t size = 1 + random() % std::min<size_t>(30, file.size() - offset);
      const auto begin = held.begin() + static_cast<std::ptrdiff_t>(offset);
      const bool whole = std::find(begin, begin + static_cast<std::ptrdiff_t>(size), false) ==
                         begin + static_cast<std::ptrdiff_t>(size);
      const auto view = source.view(offset, size, "range");
      ASSERT_EQ(view.has_value(), whole);
      if (!whole) continue;
      EXPECT_TRUE(std::ranges::equal(*view, Bytes(file).subspan(offset, size)));
    }
  }
}

}  // namespace
}  // namespace ambry::io
