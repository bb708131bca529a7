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

}  // namespace
}  // namespace ambry::io
