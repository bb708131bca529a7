#include "io/protobuf/protobuf_reader.h"

#include <gtest/gtest.h>

#include <vector>

namespace ambry::io {
namespace {

using Message = std::vector<uint8_t>;

TEST(ProtobufReader, ReadsFieldAfterField) {
  const Message bytes = {0x08, 0x96, 0x01, 0x12, 2, 'h', 'i', 0x1D, 1, 2, 3,
                         4,    0x21, 1,    0,    0, 0,   0,   0,    0, 0};
  ProtobufReader reader(bytes, 100, "message");
  auto field = reader.next();
  ASSERT_TRUE(field);
  EXPECT_TRUE((*field)->is_varint(1));
  EXPECT_EQ((*field)->value, 150U);
  EXPECT_EQ((*field)->offset, 100U);
  field = reader.next();
  EXPECT_TRUE((*field)->is_bytes(2));
  EXPECT_EQ((*field)->text(), "hi");
  EXPECT_EQ((*field)->offset, 103U);
  EXPECT_EQ((*field)->bytes_offset, 105U);
  field = reader.next();
  EXPECT_TRUE((*field)->is_fixed32(3));
  EXPECT_EQ((*field)->value, 0x04030201U);
  field = reader.next();
  EXPECT_EQ((*field)->wire, ProtobufField::Wire::Fixed64);
  EXPECT_EQ((*field)->value, 1U);
  field = reader.next();
  ASSERT_TRUE(field);
  EXPECT_FALSE(*field);
}

TEST(ProtobufReader, ReadsNegativeIntegersAsRawBits) {
  const Message bytes = {0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01};
  EXPECT_EQ((*ProtobufReader(bytes, 0, "m").next())->value, UINT64_MAX);
}

TEST(ProtobufReader, RejectsDamageAtItsOffset) {
  struct Case {
    Message bytes;
    ErrorCode code;
    uint64_t offset;
  };
  const Case kCases[] = {
      {{0x80}, ErrorCode::Truncated, 0},               // a tag that does not end
      {{0x08}, ErrorCode::Truncated, 1},               // no value
      {{0x12, 3, 'h', 'i'}, ErrorCode::Truncated, 0},  // a length of three with two bytes left
      {{0x1D, 1, 2, 3}, ErrorCode::Truncated, 1},      // three of four bytes
      {{0x21, 1, 2, 3, 4, 5, 6, 7}, ErrorCode::Truncated, 1},
      {{0x00, 1}, ErrorCode::BadValue, 0},  // field 0
      {{0x0B}, ErrorCode::BadValue, 0},     // a group
      {{0x0F}, ErrorCode::BadValue, 0},     // not a wire type
      {{0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1},
       ErrorCode::BadValue,
       1},
      {{0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1}, ErrorCode::Truncated, 0},
  };
  for (const Case& bad : kCases) {
    const auto field = ProtobufReader(bad.bytes, 50, "message").next();
    ASSERT_FALSE(field);
    EXPECT_EQ(field.error().code, bad.code) << describe(field.error());
    EXPECT_EQ(field.error().byte_offset, 50 + bad.offset) << describe(field.error());
    EXPECT_EQ(field.error().path, "message");
  }
}

}  // namespace
}  // namespace ambry::io
