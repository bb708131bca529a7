#include "io/range_crcs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace ambry::io {
namespace {

struct Range {
  size_t begin;
  size_t end;
};

// Checks all ranges of a file of 100 bytes that streams by in pieces of `piece` bytes.
void expect_all(const std::vector<Range>& ranges, size_t piece) {
  std::array<uint8_t, 100> file{};
  for (size_t i = 0; i < file.size(); ++i) file[i] = static_cast<uint8_t>(i * i + 3);
  RangeCrcs crcs;
  for (const Range& range : ranges) crcs.add(range.begin, range.end);
  for (size_t at = 0; at < file.size(); at += piece) {
    crcs.update(at, Bytes(file).subspan(at, std::min(piece, file.size() - at)));
  }
  for (const Range& range : ranges) {
    EXPECT_EQ(crcs.value(range.begin, range.end),
              crc32(Bytes(file).subspan(range.begin, range.end - range.begin)))
        << range.begin << " to " << range.end;
  }
}

TEST(RangeCrcs, HandlesNestedOverlappingAndEmptyRanges) {
  for (const size_t piece : {1U, 7U, 100U}) {
    expect_all({{10, 90}}, piece);
    expect_all({{40, 84}, {0, 84}}, piece);             // EMBD: the data, then the whole file
    expect_all({{0, 60}, {30, 100}, {50, 55}}, piece);  // overlapping, one inside both
    expect_all({{0, 10}, {90, 100}, {5, 95}}, piece);   // bridging others
    expect_all({{20, 30}, {30, 40}, {20, 40}, {20, 40}}, piece);
    expect_all({{50, 50}, {0, 100}}, piece);  // empty
  }
}

TEST(RangeCrcs, TakesBytesInAnyOrderAndOnce) {
  std::array<uint8_t, 100> file{};
  for (size_t i = 0; i < file.size(); ++i) file[i] = static_cast<uint8_t>(i * i + 3);
  RangeCrcs crcs;
  crcs.add(10, 90);
  crcs.add(40, 60);
  const auto pass = [&](size_t begin, size_t end) {
    crcs.update(begin, Bytes(file).subspan(begin, end - begin));
  };
  const auto expect_missing = [&](uint64_t begin, uint64_t end) {
    const auto range = crcs.missing();
    ASSERT_TRUE(range);
    EXPECT_EQ(range->begin, begin);
    EXPECT_EQ(range->end, end);
  };
  expect_missing(10, 40);  // cut at the ranges' ends
  pass(50, 70);
  pass(20, 30);
  expect_missing(10, 20);
  pass(0, 20);
  expect_missing(30, 40);
  pass(25, 55);  // the middle is new
  pass(80, 100);
  expect_missing(70, 80);
  pass(0, 100);
  EXPECT_FALSE(crcs.missing());
  EXPECT_EQ(crcs.value(10, 90), crc32(Bytes(file).subspan(10, 80)));
  EXPECT_EQ(crcs.value(40, 60), crc32(Bytes(file).subspan(40, 20)));
}

}  // namespace
}  // namespace ambry::io
