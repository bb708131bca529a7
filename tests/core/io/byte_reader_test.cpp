#include "io/byte_reader.h"

#include <gtest/gtest.h>

#include <vector>

namespace ambry::io {
namespace {

TEST(ByteReader, ReadsLittleEndianFieldsInOrder) {
  const std::vector<uint8_t> file = {1, 2, 0, 3, 0, 0, 0, 'o', 'k'};
  const MemorySource source(file);
  ByteReader reader(source);
  EXPECT_EQ(*reader.read<uint8_t>("a"), 1);
  EXPECT_EQ(*reader.read<uint16_t>("b"), 2);
  EXPECT_EQ(*reader.read<int32_t>("c"), 3);
  EXPECT_EQ(*reader.read_utf8(2, "text"), "ok");
  EXPECT_EQ(reader.remaining(), 0U);
  EXPECT_TRUE(reader.expect_end());
}

TEST(ByteReader, ReportsTheStartAndPathOfAFailedField) {
  const std::vector<uint8_t> file = {1, 2, 3};
  const MemorySource source(file);
  ByteReader reader(source);
  auto tensors = reader.enter("tensors", 3);
  auto shape = reader.enter("shape");
  EXPECT_TRUE(reader.skip(2, "pad"));
  const auto result = reader.read<uint32_t>("size");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Truncated);
  EXPECT_EQ(result.error().byte_offset, 2U);
  EXPECT_EQ(result.error().path, "tensors[3].shape.size");
  EXPECT_EQ(reader.position(), 2U);
  EXPECT_FALSE(reader.skip(2, "pad"));
  EXPECT_EQ(reader.expect_end().error().code, ErrorCode::BadValue);
}

TEST(ByteReader, LeavesAScopeAtTheEndOfItsBlock) {
  const MemorySource source{Bytes{}};
  ByteReader reader(source);
  {
    const auto scope = reader.enter("header");
  }
  EXPECT_EQ(reader.path_of("x"), "x");
}

TEST(ByteReader, ReportsTheFirstInvalidUtf8Byte) {
  const std::vector<uint8_t> file = {'a', 'b', 0xC3, 0x28};
  const MemorySource source(file);
  ByteReader reader(source);
  const auto result = reader.read_utf8(4, "name");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::BadValue);
  EXPECT_EQ(result.error().byte_offset, 2U);
}

TEST(ByteReader, ChecksCountsAgainstTheBytesThatRemain) {
  const std::vector<uint8_t> file(20);
  const MemorySource source(file);
  const ByteReader reader(source, 4);
  EXPECT_TRUE(reader.check_count(4, 4, "count", 0));
  EXPECT_FALSE(reader.check_count(5, 4, "count", 0));
  const auto wrap = reader.check_count(UINT64_MAX / 2, 4, "count", 0);
  ASSERT_FALSE(wrap);
  EXPECT_EQ(wrap.error().byte_offset, 0U);
}

TEST(ByteReader, AsksForTheReadAheadSizeWhenBytesAreMissing) {
  PartialSource source(1000);
  ByteReader reader(source);
  EXPECT_EQ(reader.read<uint32_t>("a").error().need_size, 4U);
  reader.set_read_ahead(100);
  EXPECT_EQ(reader.read<uint32_t>("a").error().need_size, 100U);
  EXPECT_EQ(reader.read_bytes(200, "a").error().need_size, 200U);
  reader.seek(950);
  EXPECT_EQ(reader.read<uint32_t>("a").error().need_size, 50U);
  EXPECT_EQ(reader.read_bytes(200, "a").error().code, ErrorCode::Truncated);
}

}  // namespace
}  // namespace ambry::io
