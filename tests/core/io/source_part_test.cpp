#include "io/source_part.h"

#include <gtest/gtest.h>

namespace ambry::io {
namespace {

PartialSource& two_parts(PartialSource& source) {
  EXPECT_TRUE(source.set_part_ends({6, 10}));
  return source;
}

TEST(SourcePart, CountsFromItsOwnBeginning) {
  PartialSource whole(10);
  const SourcePart second(two_parts(whole), 6, 10);
  ASSERT_TRUE(whole.insert(0, as_bytes("abcdefghij")));
  EXPECT_EQ(second.size(), 4U);
  EXPECT_EQ(as_text(second.view(1, 3, "field").value()), "hij");
  EXPECT_TRUE(second.starts_with("gh").value());
  const auto past = second.view(2, 3, "field");
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().code, ErrorCode::Truncated);
  EXPECT_EQ(past.error().byte_offset, 2U);
}

TEST(SourcePart, AsksForWhatIsMissing) {
  PartialSource whole(10);
  const SourcePart second(two_parts(whole), 6, 10);
  ASSERT_TRUE(whole.insert(5, as_bytes("fgh")));
  const auto all = second.view(0, 4, "field");
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, ErrorCode::NeedBytes);
  EXPECT_EQ(all.error().byte_offset, 2U);
  EXPECT_EQ(all.error().need_size, 2U);
  EXPECT_EQ(as_text(second.view(0, 2, "field").value()), "gh");
}

TEST(SourcePart, ErrorsNameThePart) {
  PartialSource whole(10);
  two_parts(whole);
  const auto at = [&](uint64_t offset, ErrorCode code = ErrorCode::BadValue) {
    return in_part(whole, error_at(code, offset, "field", "wrong"));
  };
  EXPECT_EQ(describe(*at(5)), "BadValue at byte 5, part 1: field: wrong");
  EXPECT_EQ(describe(*at(6)), "BadValue at byte 0, part 2: field: wrong");
  EXPECT_EQ(describe(*at(10)), "BadValue at byte 4, part 2: field: wrong");
  EXPECT_EQ(at(kNoOffset)->path, "field");
  EXPECT_EQ(at(7, ErrorCode::NeedBytes)->byte_offset, 7U);
  const PartialSource one(10);
  EXPECT_EQ(in_part(one, error_at(ErrorCode::BadValue, 7, "field", "wrong"))->path, "field");
}

}  // namespace
}  // namespace ambry::io
