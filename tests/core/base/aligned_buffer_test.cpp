#include "base/aligned_buffer.h"

#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

namespace ambry {
namespace {

TEST(AlignedBuffer, StartsAtAMultipleOfItsAlignment) {
  for (const uint64_t size : {1U, 3U, 63U, 64U, 65U, 1000U, 4096U, 100001U}) {
    auto buffer = AlignedBuffer::allocate(size);
    ASSERT_TRUE(buffer);
    EXPECT_EQ(buffer->size(), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % AlignedBuffer::kAlignment, 0U);
    for (uint8_t& byte : buffer->bytes()) byte = 0xA5;
  }
}

TEST(AlignedBuffer, SizeZeroIsEmpty) {
  const auto buffer = AlignedBuffer::allocate(0);
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->size(), 0U);
  EXPECT_TRUE(buffer->bytes().empty());
}

TEST(AlignedBuffer, RefusesSizesThatNoHeapHolds) {
  for (const uint64_t size : {UINT64_MAX, uint64_t{SIZE_MAX} - 10, uint64_t{1} << 62}) {
    const auto buffer = AlignedBuffer::allocate(size);
    ASSERT_FALSE(buffer);
    EXPECT_EQ(buffer.error().code, ErrorCode::LimitExceeded);
  }
}

TEST(AlignedBuffer, ViewsItsBytesAsValues) {
  auto buffer = AlignedBuffer::allocate(11);
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->as<float>().size(), 2U);
  buffer->as<float>()[1] = 2.5F;
  EXPECT_EQ(std::as_const(*buffer).as<float>()[1], 2.5F);
}

TEST(AlignedBuffer, MovesItsMemory) {
  auto buffer = AlignedBuffer::allocate(8);
  ASSERT_TRUE(buffer);
  const uint8_t* address = buffer->data();
  const AlignedBuffer moved = std::move(buffer).value();
  EXPECT_EQ(moved.data(), address);
  EXPECT_EQ(moved.size(), 8U);
}

}  // namespace
}  // namespace ambry
