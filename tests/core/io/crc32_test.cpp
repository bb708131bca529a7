#include "io/crc32.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace ambry::io {
namespace {

TEST(Crc32, MatchesPublishedVectors) {
  EXPECT_EQ(crc32({}), 0U);
  EXPECT_EQ(crc32(as_bytes("123456789")), 0xCBF43926U);
  EXPECT_EQ(crc32(as_bytes("The quick brown fox jumps over the lazy dog")), 0x414FA339U);
  EXPECT_EQ(crc32(std::vector<uint8_t>(32, 0xFF)), 0xFF6CAB0BU);
}

TEST(Crc32, IsTheSameInAnyPieces) {
  std::vector<uint8_t> bytes(1000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * i);
  const uint32_t whole = crc32(bytes);
  for (size_t cut = 0; cut <= 40; ++cut) {
    Crc32 crc;
    crc.update(Bytes(bytes).first(cut));
    crc.update(Bytes(bytes).subspan(cut, 333));
    crc.update(Bytes(bytes).subspan(cut + 333));
    EXPECT_EQ(crc.value(), whole);
  }
}

}  // namespace
}  // namespace ambry::io
